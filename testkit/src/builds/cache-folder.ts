import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/**
 * Where all checkouts of this user keep what they have built: `SEALPOST_CACHE`; without it, `sealpost` in the user's
 * folder of caches, or in the folder of temporary files when there is none that can be written.
 */
export function cacheFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { SEALPOST_CACHE: wish, XDG_CACHE_HOME: caches } = environment
  const usual = [join(caches ?? join(homedir(), '.cache'), 'sealpost'), join(tmpdir(), `sealpost-${userInfo().uid}`)]
  const folder = (wish === undefined ? usual : [wish]).find(isOurs)
  if (folder === undefined) throw new Error('no folder for builds can be written: set SEALPOST_CACHE to one')
  return folder
}

/** Programs are run from there, so that no other user may own it. */
function isOurs(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return statSync(folder).uid === userInfo().uid
  } catch {
    return false
  }
}
