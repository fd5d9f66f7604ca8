import { createHash } from 'node:crypto'
import type { EventId } from '@sealpost/kernel'
import { partitionOf, type Tx } from '@sealpost/postgres'
import type { Platform } from '../../../platform/module.ts'
import { accountIdOf, type NewEvent, ownerIdOf } from '../model.ts'
import { insertEvents } from '../store/events.ts'

/** Appends an event in the caller's transaction; see [Note: the head comes last]. */
export async function appendEvent(
  platform: Pick<Platform, 'clock' | 'ids'>,
  tx: Tx,
  event: NewEvent,
): Promise<EventId> {
  const [id] = await appendEvents(platform, tx, [event])
  if (id === undefined) throw new Error('an appended event has no id')
  return id
}

/**
 * [Note: the head comes last] An owner's events are numbered under a lock on the owner's head that lasts until commit, so
 * numbers are committed in order and a reader never sees a gap that is filled later. The caller appends at the end of its
 * transaction, after it has locked its own rows, and all events in one call, because this function locks the heads in
 * the order of their owners' ids.
 */
export async function appendEvents(
  { clock, ids }: Pick<Platform, 'clock' | 'ids'>,
  tx: Tx,
  events: readonly NewEvent[],
): Promise<readonly EventId[]> {
  if (events.length === 0) return []
  const at = clock.now()
  const laterCounts = new Map<string, number>()
  const rows = events.toReversed().map(({ owner, kind, connectionId, payload, key }) => {
    const ownerId = ownerIdOf(owner)
    const later = laterCounts.get(ownerId) ?? 0
    laterCounts.set(ownerId, later + 1)
    const of = { ownerId, accountId: accountIdOf(owner), ownerKind: owner.kind, later }
    return { ...of, kind, connectionId, payload, key: digestOf(key) }
  })
  const identified = rows.toReversed().map((row) => ({ ...row, id: ids.uuid<EventId>() }))
  await insertEvents(tx, { at, partition: partitionOf(at) }, identified)
  return identified.map(({ id }) => id)
}

/** Keys are only compared for equality: 16 bytes of a digest fit a uuid column. */
function digestOf(key: string | null): string | null {
  return key === null ? null : createHash('sha256').update(key).digest('hex').slice(0, 32)
}
