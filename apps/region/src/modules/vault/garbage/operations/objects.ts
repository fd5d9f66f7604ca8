import { type Instant, instant } from '@sealpost/kernel'
import { objectKey, type ObjectKey, type Objects } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../../../platform/module.ts'
import { deleteKept, deleteTaken, insertGarbage, putLast, setDue, takeDue } from '../store/garbage.ts'

/** Calls to the storage at a time. */
export const REMOVED_AT_ONCE = 8
/** Longer than any call or job takes from storing an object to the transaction that refers to it. */
const UNUSED_MS = 60 * 60_000
/** Time for readers that opened an object before its reference was removed. */
export const READERS_LEAVE_MS = 10 * 60_000

/**
 * [Note: objects and rows] An object cannot be stored in the transaction that refers to it. So its key is on the list of
 * garbage first: an operation announces a key before it stores the object, the transaction that refers to the object
 * keeps it (takes it off the list), and the transaction that removes the last reference discards it (puts it back).
 * Upkeep removes the objects whose time on the list is over, whatever crash or refusal left them there.
 */
export async function announceObject({
  database,
  clock,
  random,
}: Pick<Platform, 'database' | 'clock' | 'random'>): Promise<ObjectKey> {
  const key = objectKey(random)
  await database.transaction((tx) => insertGarbage(tx, [key], instant(clock.now() + UNUSED_MS)))
  return key
}

/** The object was announced too long ago and is being removed. */
export class GarbageError extends Error {}

/** In the transaction that refers to the object. */
export async function keepObject(tx: Tx, key: ObjectKey): Promise<void> {
  if (!(await deleteKept(tx, key)))
    throw new GarbageError('an object cannot be kept: it expired before it was referred to')
}

/** For an object that nothing refers to yet and that must wait longer than others. */
export async function postponeObject(tx: Tx, key: ObjectKey, dueAt: Instant): Promise<void> {
  if (!(await setDue(tx, key, dueAt))) throw new GarbageError('an object cannot be postponed: it has expired')
}

/** In the transaction that deletes the last reference; upkeep erases the objects once their readers have left. */
export async function discardObjects(tx: Tx, keys: readonly ObjectKey[], now: Instant): Promise<void> {
  if (keys.length > 0) await insertGarbage(tx, keys, afterReaders(now))
}

export function afterReaders(now: Instant): Instant {
  return instant(now + READERS_LEAVE_MS)
}

export type Storage<Calls extends keyof Objects> = Pick<Platform, 'database' | 'clock'> & {
  readonly objects: Pick<Objects, Calls>
}

/** Erases at most `limit` due objects; answers how many. */
export async function sweepGarbage({ database, clock, objects }: Storage<'erase'>, limit: number): Promise<number> {
  const keys = await database.transaction((tx) => takeDue(tx, clock.now(), limit))
  for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
    const some = keys.slice(from, from + REMOVED_AT_ONCE)
    const outcomes = await Promise.allSettled(some.map((key) => objects.erase(key)))
    const failed = some.filter((_key, at) => outcomes[at]?.status === 'rejected')
    await database.transaction(async (tx) => {
      await deleteTaken(
        tx,
        some.filter((key) => !failed.includes(key)),
      )
      // To the end of the list, so that an object that cannot be removed does not block the others.
      for (const key of failed) await putLast(tx, key, clock.now())
    })
    // The storage may be away: the rest waits for the next round.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw asError(outcome.reason)
  }
  return keys.length
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(`an object could not be removed: ${String(reason)}`)
}
