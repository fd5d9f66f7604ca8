import type { FeedContext } from '../../context.ts'
import type { OwnerId } from '../../model.ts'
import type { Misfit } from '../model.ts'
import { insertQuarantined } from '../store/quarantined-events.ts'

/**
 * [Note: quarantine] An event that does not match the schema of its kind would make its whole page unreadable for 7 days,
 * so readers skip it. It is not lost: before the page is acknowledged, the event is kept in a table of its own until an
 * operator retries or discards it. When it cannot be kept, the read fails and nothing is acknowledged.
 */
export async function quarantineEvents(
  { database, clock, log, quarantined }: Pick<FeedContext, 'database' | 'clock' | 'log' | 'quarantined'>,
  ownerId: OwnerId,
  reader: string,
  misfits: readonly Misfit[],
): Promise<void> {
  const now = clock.now()
  const fresh = await database.transaction((tx) => insertQuarantined(tx, ownerId, misfits, { reader, now }))
  for (const { id, kind } of fresh) {
    quarantined.add(1, { 'event.kind': kind })
    log.error(
      { event_id: id, owner_id: ownerId, kind },
      'an event does not match its schema; it is kept aside; run the doctor command of the region for details',
    )
  }
}
