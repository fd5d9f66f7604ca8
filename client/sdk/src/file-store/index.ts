import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { LineStore, StoreHold } from '../pump/line-store.ts'
import { StoreError } from '../pump/store-error.ts'
import { type HeldLock, takeLock } from './lock.ts'

export { filePins } from './file-pins.ts'
export { secretFile, secretVariable } from './secrets.ts'
export type { KeyPins } from '../keys/pins.ts'
export type { LineStore, StoreHold } from '../pump/line-store.ts'

/**
 * Stores lines in a folder: an append-only journal, synced where required and compacted when it has grown. One process
 * at a time can hold it. The content is confidential: use a private folder.
 */
export function fileStore(folder: string): LineStore {
  const path = resolve(folder)
  const journal = join(path, 'journal.jsonl')
  return {
    name: `the store ${path}`,
    read: () => readLines(journal),
    async acquire() {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const taken = await takeLock(path)
      if ('heldBy' in taken) return taken
      const { lock } = taken
      try {
        return { hold: await openJournal(path, journal, lock) }
      } catch (error) {
        await lock.release()
        throw error
      }
    },
  }
}

async function openJournal(folder: string, journal: string, lock: HeldLock): Promise<StoreHold> {
  let handle = await open(journal, 'a', 0o600)
  /** After a partial write (for example on a full disk), only `replace` may write: a torn line must be the last one. */
  let failed: unknown = null

  async function guarded(write: () => Promise<void>): Promise<void> {
    try {
      if (!(await lock.isHeld())) throw new StoreError('in_use', `another process has taken over the store ${folder}`)
      await write()
      failed = null
    } catch (error) {
      failed ??= error
      throw error
    }
  }

  return {
    append: (line, isDurable) =>
      guarded(async () => {
        if (failed !== null) throw new Error('an earlier write to the store failed', { cause: failed })
        await handle.appendFile(`${line}\n`)
        if (isDurable) await handle.datasync()
      }),
    replace: (lines) =>
      guarded(async () => {
        const next = join(folder, 'journal.next')
        await writeWhole(next, lines.map((line) => `${line}\n`).join(''))
        // Some systems cannot replace an open file.
        await handle.close()
        await rename(next, journal)
        await syncFolder(folder)
        handle = await open(journal, 'a', 0o600)
      }),
    async release() {
      try {
        await handle.close()
      } finally {
        await lock.release()
      }
    },
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A rename is durable when the folder is synced. Systems that cannot sync folders, such as Windows, do it on their own. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  try {
    await handle?.sync()
  } catch (error) {
    if (!isRefusal(error)) throw error
  } finally {
    await handle?.close()
  }
}

function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EPERM' || code === 'EINVAL' || code === 'EISDIR'
}

async function readLines(journal: string): Promise<readonly string[]> {
  try {
    return (await readFile(journal, 'utf8')).split('\n').filter((line) => line !== '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
