import { contentFiles } from './content.ts'
import { costFiles } from './cost.ts'
import type { HostileFile } from './hostile-file.ts'
import { pageFiles } from './pages.ts'
import { structureFiles } from './structure.ts'

export type { HostileFile }

export function hostileFiles(): readonly HostileFile[] {
  return [...structureFiles(), ...pageFiles(), ...contentFiles(), ...costFiles()]
}
