import { createBatch } from '@sealpost/kernel'
import { systemScheduler } from '@sealpost/process'

/** Many senders request the same kind of data at nearly the same time: see [Note: batches]. */
export interface Batcher<Key, Value> {
  load(key: Key): Promise<Value>
}

type LoadBatch<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>

/**
 * `loadBatch` answers in the order of the keys. When a batch fails, its keys are loaded one by one, so that one bad key
 * does not fail the others.
 */
export function openBatcher<Key, Value>(most: number, loadBatch: LoadBatch<Key, Value>): Batcher<Key, Value> {
  const batch = createBatch<Key, Value>({ most, scheduler: systemScheduler, run })

  async function run(keys: readonly Key[]): Promise<readonly (Value | Promise<Value>)[]> {
    try {
      return await loadBatch(keys)
    } catch (error) {
      if (keys.length === 1) throw error
      const alone = keys.map(loadAlone)
      // The next batch waits for them.
      await Promise.allSettled(alone)
      return alone
    }
  }
  async function loadAlone(key: Key): Promise<Value> {
    const [value] = await loadBatch([key])
    if (value === undefined) throw new Error('a batch was loaded without a value for each key')
    return value
  }
  return { load: (key) => batch.ask(key) }
}
