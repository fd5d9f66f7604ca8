import { type Instant, instant } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../../../platform/module.ts'
import {
  hasten,
  hastenOldest,
  insertGarbage,
  insertSuperseded,
  listVisible,
  setHidden,
  type Subject,
} from '../store/garbage.ts'
import { afterReaders, READERS_LEAVE_MS, REMOVED_AT_ONCE, type Storage } from './objects.ts'

const DAY_MS = 86_400_000
/** They count for no quota, so that one value cannot fill the store. */
const VERSIONS_KEPT = 20

/**
 * [Note: objects and backups] A database that is restored from a backup refers to the objects of that time. So an object
 * that a newer version has replaced stays for `BACKUP_DAYS`, of one value the newest 20; in a bucket with versioning it is hidden at once and its
 * bytes stay that long. An object whose owner deleted it goes at once, with the versions that it replaced, and for a
 * restored database it is deleted too: reads answer as without it.
 */
export async function supersedeObject(
  { clock, settings }: BackupContext,
  tx: Tx,
  key: ObjectKey,
  subject: Subject,
): Promise<void> {
  const at = clock.now()
  const dueAt = instant(afterReaders(at) + settings.BACKUP_DAYS * DAY_MS)
  await insertSuperseded(tx, key, subject, { at, dueAt })
  await hastenOldest(tx, subject, VERSIONS_KEPT, afterReaders(at))
}

export interface BackupContext {
  readonly clock: Pick<Platform['clock'], 'now'>
  readonly settings: Pick<Platform['settings'], 'BACKUP_DAYS'>
}

/** In the transaction that deletes values: their earlier versions go too. `parts` null: all of the subjects. */
export async function discardVersions(
  tx: Tx,
  subjects: readonly string[],
  parts: readonly string[] | null,
  now: Instant,
): Promise<void> {
  if (subjects.length > 0) await hasten(tx, subjects, parts, afterReaders(now))
}

/** For objects that are in the store and that a restored database does not know: a later backup may. */
export async function adoptObjects(
  { clock, settings }: BackupContext,
  tx: Tx,
  keys: readonly ObjectKey[],
): Promise<void> {
  await insertGarbage(tx, keys, instant(clock.now() + settings.BACKUP_DAYS * DAY_MS))
}

/** In a bucket with versioning: hides at most `limit` superseded objects; answers how many. */
export async function hideSuperseded(
  { database, clock, objects }: Storage<'remove' | 'isVersioned'>,
  limit: number,
): Promise<number> {
  const before = instant(clock.now() - READERS_LEAVE_MS)
  const keys = await database.read((read) => listVisible(read, before, limit))
  if (keys.length === 0 || !(await objects.isVersioned())) return 0
  for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
    const some = keys.slice(from, from + REMOVED_AT_ONCE)
    await Promise.all(some.map((key) => objects.remove(key)))
    await database.transaction((tx) => setHidden(tx, some))
  }
  return keys.length
}
