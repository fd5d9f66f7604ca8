import type { RunStored } from '@sealpost/session/worker'

/** Turns that are filled in and not sent yet. Everything is sealed to the own key: it rests on the device. */
export interface TurnStore {
  read(runId: string): Promise<string | null>
  write(runId: string, sealed: string): Promise<void>
  readFiles(runId: string, slug: string): Promise<string | null>
  writeFiles(runId: string, slug: string, sealed: string): Promise<void>
  /** The turn and its files. */
  delete(runId: string): Promise<void>
}

export const TURNS = 'turns'

export function turnStore(run: RunStored, accountId: string): TurnStore {
  const nameOf = (runId: string, slug = ''): string => `${accountId} ${runId} ${slug}`
  const read = async (name: string): Promise<string | null> => {
    const found = await run<unknown>(TURNS, 'readonly', (rows) => rows.get(name))
    return typeof found === 'string' ? found : null
  }
  const write = async (name: string, sealed: string): Promise<void> => {
    await run(TURNS, 'readwrite', (rows) => rows.put(sealed, name))
  }
  return {
    read: (runId) => read(nameOf(runId)),
    write: (runId, sealed) => write(nameOf(runId), sealed),
    readFiles: (runId, slug) => read(nameOf(runId, slug)),
    writeFiles: (runId, slug, sealed) => write(nameOf(runId, slug), sealed),
    async delete(runId) {
      const all = IDBKeyRange.bound(nameOf(runId), nameOf(runId, '\uffff'))
      await run(TURNS, 'readwrite', (rows) => rows.delete(all))
    },
  }
}
