import type { Answer } from '../people/call.ts'
import { bodyOf } from '../people/call.ts'
import type { Calls } from '../people/client-calls.ts'
import { sealTo } from '../people/contact-data.ts'
import type { TestUser } from '../people/people.ts'
import { listOf, membersOf } from '../sharing/members.ts'
import type { TwoRegions } from '../two-regions.ts'

/** One answer to a request field of a service, in the clear: it is sealed to the service before it is sent. */
export interface Decision {
  /** Of the request field. */
  readonly slug: string
  /** `typed` unless told. */
  readonly kind?: 'linked' | 'typed' | 'one_time' | 'none'
  readonly text?: string
  readonly file?: object
  /** The slug of the contact field behind it. */
  readonly source?: string
}

/** A decision as the wire has it. */
export interface SealedDecision {
  readonly request_field_id: string
  readonly kind: 'linked' | 'typed' | 'one_time' | 'none'
  readonly value?: string
  readonly file?: object
  readonly source_field_id?: string
}

/** The part of a service that its customers know. */
export interface PublishedService {
  readonly code: string
  row(slug: string): string
  seal(text: string): Promise<string>
}

/** A slot that a value is also written to: the service's wrapper of it goes along. */
export interface Share {
  readonly service: PublishedService
  readonly connectionId: string
  readonly slug: string
}

/** A person or a company that connects to services and shares values. Fields are named by their slugs. */
export interface Customer {
  /** The id of a contact field of the platform. */
  field(slug: string): string
  sealToSelf(text: string): Promise<string>
  /** Sets a contact field, with one share for each live slot that it feeds. */
  put(field: string, text: string, shares?: readonly Share[], how?: PutOptions): Promise<Answer>
  /** The decisions as the wire has them. */
  decide(service: PublishedService, decisions: readonly AnyDecision[]): Promise<readonly SealedDecision[]>
  connect(service: PublishedService, decisions?: readonly (Decision | SealedDecision)[], key?: string): Promise<Answer>
  /** Connects and answers the id of the connection. */
  connected(service: PublishedService, decisions?: readonly (Decision | SealedDecision)[]): Promise<string>
  /** The record of a connection, its first service link laid over it. */
  connection(connectionId: string): Promise<Record<string, unknown>>
  connections(): Promise<readonly Record<string, unknown>[]>
  /** Changes what is shared over a connection; what is not named stays. */
  remap(service: PublishedService, connectionId: string, decisions: readonly AnyDecision[]): Promise<Answer>
  /** Answers request fields that were published after the connect. */
  provide(service: PublishedService, connectionId: string, decisions: readonly AnyDecision[]): Promise<Answer>
  disconnect(connectionId: string): Promise<Answer>
  /** The requests of services to connect that are not answered yet. */
  connectRequests(): Promise<readonly Record<string, unknown>[]>
  /** Verifies the contact field `email` with the code of the mail; answers the id of the verification. */
  verifyEmail(): Promise<string>
}

type AnyDecision = Decision | SealedDecision

export interface PutOptions {
  readonly isPrivate?: boolean
  /** Not sealed: what companies write, and what persons publish. */
  readonly isClear?: boolean
}

const CONNECTIONS = '/api/company-connections'

export async function customerPart(place: TwoRegions, user: TestUser, calls: Calls): Promise<Customer> {
  const fields = await platformFields(place, calls)
  const field = (slug: string): string => {
    const id = fields.get(slug)
    if (id === undefined) throw new Error(`the platform has no field ${slug}`)
    return id
  }
  const sealToSelf = (text: string): Promise<string> => sealTo(user.keys.publicKey, text)

  const seal = async (service: PublishedService, decision: Decision | SealedDecision): Promise<SealedDecision> => {
    if ('request_field_id' in decision) return decision
    const { slug, kind = 'typed', text, file, source } = decision
    return {
      request_field_id: service.row(slug),
      kind,
      ...(text === undefined ? {} : { value: await service.seal(text) }),
      ...(file === undefined ? {} : { file }),
      ...(source === undefined ? {} : { source_field_id: field(source) }),
    }
  }
  const decide: Customer['decide'] = (service, decisions) =>
    Promise.all(decisions.map((decision) => seal(service, decision)))

  const connect: Customer['connect'] = async (service, decisions = [], key) => {
    const sealed = await Promise.all(decisions.map((decision) => seal(service, decision)))
    const body = { code: service.code, decisions: sealed }
    return calls('POST', CONNECTIONS, { body, ...(key === undefined ? {} : { key }) })
  }
  return {
    field,
    sealToSelf,
    async put(slug, text, shares = [], { isPrivate, isClear = user.userType === 'company' } = {}) {
      const body = {
        value: isClear ? text : await sealToSelf(text),
        shares: await Promise.all(shares.map((share) => sealShare(share, text))),
        ...(isPrivate === undefined ? {} : { is_private: isPrivate }),
      }
      return calls('PUT', `/api/contact-data/${field(slug)}`, { body })
    },
    decide,
    connect,
    connected: async (service, decisions) => String((await bodyOf(connect(service, decisions), 201))['id']),
    async connection(connectionId) {
      const record = await bodyOf(calls('GET', `${CONNECTIONS}/${connectionId}`))
      return { ...record, ...membersOf(listOf(record['services'])[0]) }
    },
    connections: async () => listOf((await bodyOf(calls('GET', CONNECTIONS)))['connections']),
    async remap(service, id, decisions) {
      const body = { decisions: await decide(service, decisions) }
      return calls('PUT', `${CONNECTIONS}/${id}/services/${id}/mappings`, { body })
    },
    async provide(service, id, decisions) {
      const body = { decisions: await decide(service, decisions) }
      return calls('POST', `${CONNECTIONS}/consents/${id}/provide`, { body })
    },
    disconnect: (id) => calls('DELETE', `${CONNECTIONS}/${id}`),
    connectRequests: async () =>
      listOf((await bodyOf(calls('GET', '/api/customer/connect-requests')))['connect_requests']),
    verifyEmail: () => verify(place, calls, `/api/contact-data/${field('email')}/verifications`, user.email),
  }
}

async function verify({ mail }: TwoRegions, calls: Calls, path: string, email: string): Promise<string> {
  const begun = await bodyOf(calls('POST', path, { body: { provider: 'platform_email' } }), 201)
  const id = String(begun['verification_id'])
  const code = await mail.waitForCode(email, 'verif')
  await bodyOf(calls('POST', `${path}/${id}/confirm`, { body: { code } }))
  return id
}

async function sealShare({ service, connectionId, slug }: Share, text: string) {
  return { connection_id: connectionId, slug, value: await service.seal(text) }
}

/** By slug. They are the same for all accounts of an installation, so one account reads them. */
const known = new WeakMap<object, Promise<ReadonlyMap<string, string>>>()

function platformFields(place: TwoRegions, calls: Calls): Promise<ReadonlyMap<string, string>> {
  const reading = known.get(place.eu) ?? readFields(calls)
  known.set(place.eu, reading)
  return reading
}

async function readFields(calls: Calls): Promise<ReadonlyMap<string, string>> {
  const { items } = await bodyOf(calls('GET', '/api/contact-fields?limit=500'))
  return new Map(listOf(items).map(({ slug, id }) => [String(slug), String(id)]))
}
