import { type EventId, formatInstant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { FeedResolver, FeedResolvers, JsonObject, ResolvedEvent, StoredEvent } from './event.ts'
import type { FeedNeeds } from './needs.ts'
import type { FeedOwner } from './owner.ts'

const NOTHING: ReadonlyMap<EventId, ResolvedEvent> = new Map()

/**
 * The events as they are told now. One that does not fit what its kind promises would make the whole page unreadable, now
 * and at every later try, so it is left out and shouted about.
 */
export async function tellEvents<Event>(
  { database, resolvers, log }: FeedNeeds,
  owner: FeedOwner,
  events: readonly StoredEvent[],
  isPromised: (value: unknown) => value is Event,
): Promise<readonly Event[]> {
  const isAsked = events.some(({ kind }) => resolvers[kind] !== undefined)
  const resolved = isAsked ? await database.read((read) => resolveAll(read, resolvers, owner, events)) : NOTHING
  return events.flatMap((event) => {
    if (resolvers[event.kind] !== undefined && !resolved.has(event.id)) return []
    const told = tell(owner, event, resolved.get(event.id))
    if (isPromised(told)) return [told]
    log.error({ event_id: event.id, kind: event.kind }, 'an event is not what its kind promises; it was left out')
    return []
  })
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

function tell(owner: FeedOwner, event: StoredEvent, resolved: ResolvedEvent | undefined): JsonObject {
  const { request_field_id: _ownBusiness, ...members } = { ...event.payload, ...resolved?.members }
  return {
    ...members,
    id: event.id,
    event: resolved?.event ?? event.kind,
    at: formatInstant(event.at),
    connection_id: event.connectionId,
    ...(owner.kind === 'service' ? { service_id: owner.serviceId } : {}),
  }
}
