import { announceSlowCall, createBatch } from '@sealpost/kernel'
import { systemScheduler } from '@sealpost/process'
import type { Database } from './database.ts'
import type { Read } from './scope.ts'

/** Loads several keys; the results are in the order of the keys. */
type Load<Key, Found> = (read: Read, keys: readonly Key[]) => Promise<readonly Found[]>

/** Bounds the size of one result, and how long the other reads of a statement wait for the largest. */
const AT_ONCE = 32
const SLOW_MS = 20

/**
 * Reads of one kind that arrive during a statement are sent together in the next one, see [Note: batches]: a round trip
 * to the database costs a process and a backend more than finding a few rows. A slow statement delays no other.
 */
export function batchReads<Key, Found>(
  database: Pick<Database, 'read'>,
  load: Load<Key, Found>,
): (key: Key) => Promise<Found> {
  const batch = createBatch<Key, Found>({
    most: AT_ONCE,
    patienceMs: SLOW_MS,
    scheduler: systemScheduler,
    run: (keys) => database.read((read) => load(read, keys)),
  })
  return (key) => {
    announceSlowCall('a read on a second connection')
    return batch.ask(key)
  }
}
