import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import { appendEvents, type NewEvent } from '@sealpost/region/feed'
import { mara } from '../personas.ts'
import type { RegionInside } from './inside.ts'

export interface EventAppender {
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>
  appendIn(tx: Tx): Promise<readonly string[]>
  appendBy(database?: Database): Promise<readonly string[]>
}

/** Puts events that render without any other row into the feed of a service. */
export function eventAppender(region: RegionInside, companyId: UserId, serviceId: ServiceId): EventAppender {
  const { clock, ids, database } = region
  const payload = { person_user_id: mara.userId, share_code: mara.shareCode, customer_type: 'person' }
  const owner = { kind: 'service', companyId, serviceId } as const
  const appendIn = (tx: Tx, events: readonly Partial<NewEvent>[] = [{}]): Promise<readonly string[]> =>
    appendEvents(
      { clock, ids },
      tx,
      events.map((event) => ({
        owner,
        kind: 'connection_deleted' as const,
        connectionId: ids.uuid<NonNullable<NewEvent['connectionId']>>(),
        payload,
        key: null,
        ...event,
      })),
    )
  return {
    append: (...events) => database.transaction((tx) => appendIn(tx, events.length === 0 ? [{}] : events)),
    appendIn: (tx) => appendIn(tx),
    appendBy: (other = database) => other.transaction((tx) => appendIn(tx)),
  }
}
