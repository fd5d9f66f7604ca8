import { createHash } from 'node:crypto'
import type { Clock, EventId, Ids } from '@sealpost/kernel'
import { shelfOf, type Tx } from '@sealpost/postgres'
import type { NewEvent } from './event.ts'
import { accountIdOf, ownerIdOf } from './owner.ts'
import { advanceHeads, type HeadAdvance } from './store/heads.ts'
import { insertEvents } from './store/log.ts'

export interface AppendNeeds {
  readonly clock: Clock
  readonly ids: Ids
}

/** Queues an event in the caller's transaction; see [Note: the head comes last]. */
export async function appendEvent(tx: Tx, needs: AppendNeeds, event: NewEvent): Promise<EventId> {
  const [id] = await appendEvents(tx, needs, [event])
  if (id === undefined) throw new Error('an appended event has no id')
  return id
}

/**
 * [Note: the head comes last] An owner's events are numbered under a lock on the owner's head that lasts until commit, so
 * numbers follow each other in the order of the commits and a reader never sees a gap that is filled later. Whoever
 * appends does so at the end of its transaction, after its own rows are locked; all events at once, because here heads
 * are locked in the order of their owners' ids.
 */
export async function appendEvents(
  tx: Tx,
  { clock, ids }: AppendNeeds,
  events: readonly NewEvent[],
): Promise<readonly EventId[]> {
  if (events.length === 0) return []
  const lastNos = await advanceHeads(tx, headAdvances(events))
  const at = clock.now()
  const behind = new Map<string, number>()
  const rows = events.toReversed().map((event) => {
    const ownerId = ownerIdOf(event.owner)
    const later = behind.get(ownerId) ?? 0
    behind.set(ownerId, later + 1)
    const lastNo = lastNos.get(ownerId)
    return { event, ownerId, no: lastNo === undefined ? null : lastNo - later }
  })
  const numbered = rows.toReversed().map((row) => ({ ...row, id: ids.uuid<EventId>() }))
  await insertEvents(
    tx,
    { at, shelf: shelfOf(at) },
    // A feed that was dropped takes nothing any more.
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

/** Keys only have to be equal or not: 16 bytes of a digest, in the form of a column that holds 16 bytes. */
function digestOf(key: string | null): string | null {
  return key === null ? null : createHash('sha256').update(key).digest('hex').slice(0, 32)
}
