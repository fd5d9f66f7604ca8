import type { EventId } from '@sealpost/kernel'
import type { FeedContext } from '../../context.ts'
import type { QuarantinedEvent } from '../model.ts'
import { countQuarantined, endQuarantined, findQuarantined, listQuarantined } from '../store/quarantined-events.ts'

const SHOWN = 100

export interface Quarantine {
  readonly count: number
  /** At most 100, the newest first. */
  readonly events: readonly QuarantinedEvent[]
}

/** For an operator: the events of all owners that wait. */
export function readQuarantine({ database }: Pick<FeedContext, 'database'>): Promise<Quarantine> {
  return database.read(async (read) => ({
    count: await countQuarantined(read),
    events: await listQuarantined(read, SHOWN),
  }))
}

export function findQuarantinedEvent(
  { database }: Pick<FeedContext, 'database'>,
  id: EventId,
): Promise<QuarantinedEvent | null> {
  return database.read((read) => findQuarantined(read, id))
}

/** Their payloads are deleted. Answers how many waited. */
export function discardEvents(
  { database, clock }: Pick<FeedContext, 'database' | 'clock'>,
  ids: readonly EventId[],
): Promise<number> {
  return database.transaction((tx) => endQuarantined(tx, ids, clock.now()))
}
