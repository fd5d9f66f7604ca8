import { type Clock, type Instant, instant, type Random } from '@sealpost/kernel'
import { objectKey, type ObjectKey, type Objects } from '@sealpost/objects'
import type { Database, Tx } from '@sealpost/postgres'
import { deleteKept, deleteTaken, insertGarbage, putLast, setDue, takeDue } from './store.ts'

/** Longer than any call or job takes from storing an object to the transaction that refers to it. */
const UNUSED_MS = 60 * 60_000

/**
 * [Note: objects and rows] An object cannot be stored in the transaction that refers to it. So its key is garbage first:
 * whoever stores one announces it, the transaction that refers to it keeps it, and the one that drops the last reference
 * puts it back. What is left on the list when its time has come, by whatever crash or refusal, is removed by upkeep.
 */
export async function announceObject({
  database,
  clock,
  random,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
}): Promise<ObjectKey> {
  const key = objectKey(random)
  await database.transaction((tx) => insertGarbage(tx, [key], instant(clock.now() + UNUSED_MS)))
  return key
}

/** The object was announced too long ago, and is being removed. */
export class GarbageError extends Error {}

/** In the transaction that refers to the object. */
export async function keepObject(tx: Tx, key: ObjectKey): Promise<void> {
  if (!(await deleteKept(tx, key))) throw new GarbageError('an object was referred to after its time')
}

/** For an object that nothing refers to yet, and that may be kept later than others. */
export async function postponeObject(tx: Tx, key: ObjectKey, dueAt: Instant): Promise<void> {
  if (!(await setDue(tx, key, dueAt))) throw new GarbageError('an object was wanted after its time')
}

/** In the transaction that drops the last reference; the object goes at that time. */
export async function discardObjects(tx: Tx, keys: readonly ObjectKey[], dueAt: Instant): Promise<void> {
  if (keys.length > 0) await insertGarbage(tx, keys, dueAt)
}

/** Removes what is due, at most so many, and answers how many it were. */
export async function sweepGarbage(
  {
    database,
    clock,
    objects,
  }: { readonly database: Database; readonly clock: Clock; readonly objects: Pick<Objects, 'remove'> },
  limit: number,
): Promise<number> {
  const keys = await database.transaction((tx) => takeDue(tx, clock.now(), limit))
  for (const key of keys) {
    try {
      await objects.remove(key)
    } catch (error) {
      // One that cannot be removed must not stand before all others for ever.
      await database.transaction((tx) => putLast(tx, key, clock.now()))
      throw error
    }
    await database.transaction((tx) => deleteTaken(tx, [key]))
  }
  return keys.length
}
