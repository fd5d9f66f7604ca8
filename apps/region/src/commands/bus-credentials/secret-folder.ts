import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that only this user may read, in folders that only this user may enter. */
export interface SecretFolder {
  /** Null when there is no such file. */
  read(file: string): string | null
  /** Whole or not at all: an interrupted run leaves the earlier file. */
  write(file: string, text: string): void
}

const OWN_FILE = 0o600
const OWN_FOLDER = 0o700

export function openFolder(root: string): SecretFolder {
  return {
    read(file) {
      const path = join(root, file)
      return existsSync(path) ? readFileSync(path, 'utf8') : null
    },
    write(file, text) {
      const path = join(root, file)
      mkdirSync(dirname(path), { recursive: true, mode: OWN_FOLDER })
      const draft = `${path}.new`
      writeFileSync(draft, text, { mode: OWN_FILE })
      // The mode above counts for a new file only, and is reduced by the umask.
      chmodSync(draft, OWN_FILE)
      renameSync(draft, path)
    },
  }
}
