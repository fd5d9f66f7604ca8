import { createHash } from 'node:crypto'
import type { EventId } from '@sealpost/kernel'
import { partitionOf, type Tx } from '@sealpost/postgres'
import type { Platform } from '../../../platform/module.ts'
import { accountIdOf, type NewEvent, ownerIdOf } from '../model.ts'
import { insertEvents } from '../store/events.ts'
import { advanceHeads, type HeadAdvance } from '../store/heads.ts'

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
  const lastNos = await advanceHeads(tx, headAdvances(events))
  const at = clock.now()
  const laterCounts = new Map<string, number>()
  const rows = events.toReversed().map((event) => {
    const ownerId = ownerIdOf(event.owner)
    const later = laterCounts.get(ownerId) ?? 0
    laterCounts.set(ownerId, later + 1)
    const lastNo = lastNos.get(ownerId)
    return { event, ownerId, no: lastNo === undefined ? null : lastNo - later }
  })
  const numbered = rows.toReversed().map((row) => ({ ...row, id: ids.uuid<EventId>() }))
  await insertEvents(
    tx,
    { at, partition: partitionOf(at) },
    // A deleted feed has no number: its events are discarded.
    numbered.flatMap(({ event, ownerId, no, id }) => {
      const { kind, connectionId, payload, key } = event
      return no === null ? [] : [{ ownerId, no, id, kind, connectionId, payload, key: digestOf(key) }]
    }),
  )
  return numbered.map(({ id }) => id)
}

function headAdvances(events: readonly NewEvent[]): readonly HeadAdvance[] {
  const advances = new Map<string, HeadAdvance>()
  for (const { owner } of events) {
    const ownerId = ownerIdOf(owner)
    const count = (advances.get(ownerId)?.count ?? 0) + 1
    advances.set(ownerId, { ownerId, accountId: accountIdOf(owner), kind: owner.kind, count })
  }
  return [...advances.values()]
}

/** Keys are only compared for equality: 16 bytes of a digest fit a uuid column. */
function digestOf(key: string | null): string | null {
  return key === null ? null : createHash('sha256').update(key).digest('hex').slice(0, 32)
}
