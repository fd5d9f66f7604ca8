import { type EventId, formatInstant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { type EventColumns, explainMisfit } from '@sealpost/protocol'
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
import type { Misfit } from '../quarantine/model.ts'

const NOTHING: ReadonlyMap<EventId, ResolvedEvent> = new Map()

/** `shapeQueuedEvent` or `shapeCustomerEvent` of the protocol, depending on the feed. */
export type ShapeEvent<Event> = (columns: EventColumns, stored: JsonObject, members: JsonObject | null) => Event | null

export interface ShapedEvents<Event> {
  readonly shaped: Event[]
  readonly misfits: readonly Misfit[]
}

/** The events in the form in which they are sent now, and those that do not match the schema of their kind. */
export async function shapeEvents<Event>(
  { database, resolvers }: Pick<FeedContext, 'database' | 'resolvers'>,
  owner: FeedOwner,
  events: readonly StoredEvent[],
  shape: ShapeEvent<Event>,
): Promise<ShapedEvents<Event>> {
  const needsResolver = events.some(({ kind }) => resolvers[kind] !== undefined)
  const resolved = needsResolver ? await database.read((read) => resolveAll(read, resolvers, owner, events)) : NOTHING
  const all: Event[] = []
  const misfits: Misfit[] = []
  for (const event of events) {
    const answer = resolved.get(event.id)
    if (answer === undefined && resolvers[event.kind] !== undefined) continue
    if (!isWanted(event, answer?.event ?? event.kind)) continue
    const columns = columnsOf(owner, event, answer?.event)
    const members = answer?.members ?? null
    const shaped = shape(columns, event.payload, members)
    if (shaped !== null) all.push(shaped)
    else misfits.push({ no: event.no, reason: explainMisfit(owner.kind, columns, event.payload, members) })
  }
  return { shaped: all, misfits }
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
