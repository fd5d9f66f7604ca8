import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** All files that the engines of this checkout write; ignored by git, safe to delete after `down`. */
export const LOCAL_FOLDER = fileURLToPath(new URL('../../../.local', import.meta.url))

export function localFolder(...parts: readonly string[]): string {
  const folder = join(LOCAL_FOLDER, ...parts)
  mkdirSync(folder, { recursive: true })
  return folder
}
