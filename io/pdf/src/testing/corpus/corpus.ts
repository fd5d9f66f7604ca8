import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of a real producer; `make-corpus.ts` says how it was made. */
export interface CorpusFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export function corpusFiles(): readonly CorpusFile[] {
  const folder = join(import.meta.dirname, 'files')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .toSorted()
    .map((name) => ({ name, bytes: Uint8Array.from(readFileSync(join(folder, name))) }))
}
