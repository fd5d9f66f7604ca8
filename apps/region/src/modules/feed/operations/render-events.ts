import { type EventId, formatInstant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { EventColumns } from '@sealpost/protocol'
import type { FeedContext } from '../context.ts'
import type {
  EventKind,
  FeedOwner,
  FeedResolver,
  FeedResolvers,
  JsonObject,
  ResolvedEvent,
  StoredEvent,
} from '../model.ts'

const NOTHING: ReadonlyMap<EventId, ResolvedEvent> = new Map()

/** `shapeQueuedEvent` or `shapeCustomerEvent` of the protocol, depending on the feed. */
export type ShapeEvent<Event> = (columns: EventColumns, stored: JsonObject, members: JsonObject | null) => Event | null

/**
 * The events in the form in which they are sent now. An event that does not match the schema of its kind would make the
 * whole page unreadable for 7 days, so it is left out and logged as an error.
 */
export async function renderEvents<Event>(
  { database, resolvers, log }: FeedContext,
  owner: FeedOwner,
  events: readonly StoredEvent[],
  shape: ShapeEvent<Event>,
): Promise<Event[]> {
  const needsResolver = events.some(({ kind }) => resolvers[kind] !== undefined)
  const resolved = needsResolver ? await database.read((read) => resolveAll(read, resolvers, owner, events)) : NOTHING
  const rendered: Event[] = []
  for (const event of events) {
    const answer = resolved.get(event.id)
    if (answer === undefined && resolvers[event.kind] !== undefined) continue
    if (!isWanted(event, answer?.event ?? event.kind)) continue
    const shaped = shape(columnsOf(owner, event, answer?.event), event.payload, answer?.members ?? null)
    if (shaped !== null) rendered.push(shaped)
    else log.error({ event_id: event.id, kind: event.kind }, 'an event does not match its schema and was left out')
  }
  return rendered
}

/** A webhook gets the kinds that it lists: an event may have become another kind since it was appended. */
function isWanted({ kinds = null }: StoredEvent, delivered: EventKind): boolean {
  return kinds === null || kinds.includes(delivered)
}

/** One call per resolver for all its events. */
async function resolveAll(
  read: Read,
  resolvers: FeedResolvers,
  owner: FeedOwner,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<EventId, ResolvedEvent>> {
  const byResolver = new Map<FeedResolver, StoredEvent[]>()
  for (const event of events) {
    const resolver = resolvers[event.kind]
    if (resolver === undefined) continue
    const its = byResolver.get(resolver)
    if (its === undefined) byResolver.set(resolver, [event])
    else its.push(event)
  }
  const all = new Map<EventId, ResolvedEvent>()
  for (const [resolver, its] of byResolver) {
    for (const [id, answer] of await resolver.resolve(read, owner, its)) all.set(id, answer)
  }
  return all
}

function columnsOf(owner: FeedOwner, { id, kind, at, connectionId }: StoredEvent, resolved = kind): EventColumns {
  const columns = { id, event: resolved, at: formatInstant(at), connection_id: connectionId }
  return owner.kind === 'service' ? { ...columns, service_id: owner.serviceId } : columns
}
