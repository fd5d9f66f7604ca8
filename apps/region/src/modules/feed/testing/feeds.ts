import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import { collapseKey, serviceEvents } from '@sealpost/protocol'
import type { FeedContext } from '../context.ts'
import type { FeedOwner, NewEvent } from '../model.ts'
import { appendEvents } from '../operations/append-events.ts'

export const CHANGES = '/api/company-data/changes'
export const CUSTOMER_CHANGES = '/api/customer/changes'
export const PERSON = '019a0000-0000-7000-8000-0000000000b1'
export const NONE = { changes: [], has_more: false }

export type Query = Readonly<Record<string, string>>

interface Received {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

export interface Drained extends Received {
  readonly changes: readonly Readonly<Record<string, unknown>>[]
  readonly ids: readonly string[]
  readonly hasMore: boolean
}

/** The part of a service that reads its feed over HTTP. */
interface Reader {
  readonly serviceId: ServiceId
  readonly company: { readonly companyId: UserId }
  token(): Promise<string>
  data(method: 'GET', path: string, sent: { readonly url?: string }): Promise<Received>
}

/** The part of a world that a feed is opened in. */
interface FeedWorld<Company> {
  readonly eu: { readonly modules: { readonly feed: FeedContext } }
  service(fields: readonly [], wish: { readonly company: Company }): Promise<Reader>
}

export interface TestFeed {
  readonly owner: FeedOwner & { readonly kind: 'service' }
  /** In one transaction; answers the ids. */
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>
  drain(query?: Query, url?: string): Promise<Drained>
  token(): Promise<string>
}

/** The feed of a new service of this company. */
export async function openFeed<Company>(world: FeedWorld<Company>, company: Company): Promise<TestFeed> {
  const service = await world.service([], { company })
  const owner = { kind: 'service', companyId: service.company.companyId, serviceId: service.serviceId } as const
  return {
    owner,
    token: () => service.token(),
    append: (...events) => appendTo(world.eu.modules.feed, owner, events),
    drain: async (query, url) =>
      readDrained(await service.data('GET', changesAt(query), url === undefined ? {} : { url })),
  }
}

export function changesAt(query: Query = {}, path = CHANGES): string {
  return `${path}?${new URLSearchParams(query).toString()}`
}

export function readDrained(received: Received): Drained {
  const { changes, has_more: hasMore } = received.body
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const all = (changes ?? []) as Drained['changes']
  return { ...received, changes: all, ids: all.map(({ id }) => String(id)), hasMore: hasMore === true }
}

export function appendTo(
  { database, clock, ids }: FeedContext,
  owner: FeedOwner,
  events: readonly Partial<NewEvent>[],
): Promise<readonly string[]> {
  const whole = events.map((event) => ({ owner, ...connectionDeleted(ids.uuid()), ...event }))
  return database.transaction((tx) => appendEvents({ clock, ids }, tx, whole))
}

export function connectionDeleted(connectionId: ConnectionId): Omit<NewEvent, 'owner'> {
  const payload = { person_user_id: PERSON, share_code: 'MARAXX', customer_type: 'person' }
  return { kind: 'connection_deleted', connectionId, payload, key: null }
}

/** A person's answer to a connect request. */
export function requestAnswered(
  kind: 'connection_request_accepted' | 'connection_request_rejected',
  { serviceId }: TestFeed['owner'],
  requestId: string,
  personId: string = PERSON,
): Partial<NewEvent> {
  const payload = { person_user_id: personId, share_code: 'MARAXX', request_id: requestId }
  const key = collapseKey(serviceEvents[kind].collapse, { service_id: serviceId, person_user_id: personId })
  return { kind, connectionId: null, payload, key }
}
