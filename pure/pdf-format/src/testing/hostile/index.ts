import { ambiguousFiles } from './ambiguous.ts'
import { contentFiles } from './content.ts'
import type { HostileFile } from './hostile-file.ts'
import { pageFiles } from './pages.ts'
import { structureFiles } from './structure.ts'

export { hostile, type HostileFile, streamBody } from './hostile-file.ts'

/** Without those that only cost much: they are compressed, which needs Node. */
export function hostileContentFiles(): readonly HostileFile[] {
  return [...structureFiles(), ...pageFiles(), ...contentFiles(), ...ambiguousFiles()]
}
