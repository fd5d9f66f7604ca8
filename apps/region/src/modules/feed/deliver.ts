import { type EventId, formatInstant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { EventColumns } from '@sealpost/protocol'
import type { FeedResolver, FeedResolvers, JsonObject, ResolvedEvent, StoredEvent } from './event.ts'
import type { FeedNeeds } from './needs.ts'
import type { FeedOwner } from './owner.ts'

const NOTHING: ReadonlyMap<EventId, ResolvedEvent> = new Map()

/** `shapeQueuedEvent` or `shapeCustomerEvent` of the protocol, whichever feed it is. */
export type ShapeEvent<Event> = (columns: EventColumns, stored: JsonObject, members: JsonObject | null) => Event | null

/**
 * The events as they are told now. One that does not fit what its kind promises would make the whole page unreadable, now
 * and at every later try, so it is left out and shouted about.
 */
export async function tellEvents<Event>(
  { database, resolvers, log }: FeedNeeds,
  owner: FeedOwner,
  events: readonly StoredEvent[],
  shape: ShapeEvent<Event>,
): Promise<Event[]> {
  const isAsked = events.some(({ kind }) => resolvers[kind] !== undefined)
  const resolved = isAsked ? await database.read((read) => resolveAll(read, resolvers, owner, events)) : NOTHING
  const told: Event[] = []
  for (const event of events) {
    const answer = resolved.get(event.id)
    if (answer === undefined && resolvers[event.kind] !== undefined) continue
    const shaped = shape(columnsOf(owner, event, answer?.event), event.payload, answer?.members ?? null)
    if (shaped !== null) told.push(shaped)
    else log.error({ event_id: event.id, kind: event.kind }, 'an event is not what its kind promises; it was left out')
  }
  return told
}

/** Each resolver is asked once for all its events. */
async function resolveAll(
  read: Read,
  resolvers: FeedResolvers,
  owner: FeedOwner,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<EventId, ResolvedEvent>> {
  const asked = new Map<FeedResolver, StoredEvent[]>()
  for (const event of events) {
    const resolver = resolvers[event.kind]
    if (resolver === undefined) continue
    const its = asked.get(resolver)
    if (its === undefined) asked.set(resolver, [event])
    else its.push(event)
  }
  const all = new Map<EventId, ResolvedEvent>()
  for (const [resolver, its] of asked) {
    for (const [id, answer] of await resolver.resolve(read, owner, its)) all.set(id, answer)
  }
  return all
}

function columnsOf(owner: FeedOwner, { id, kind, at, connectionId }: StoredEvent, resolved = kind): EventColumns {
  const columns = { id, event: resolved, at: formatInstant(at), connection_id: connectionId }
  return owner.kind === 'service' ? { ...columns, service_id: owner.serviceId } : columns
}
