import { type Calls, callsWith } from '../people/client-calls.ts'
import { demand, sealToSelf } from '../people/contact-data.ts'
import type { Answer } from '../people/office.ts'
import { newOwner, type Owner } from '../people/owners.ts'
import type { TwoRegions } from '../two-regions.ts'
import type { Desk } from './desk.ts'
import { listOf, membersOf } from './members.ts'

/** A person or a company that shares something, and the device that seals for it. Fields are named by their slugs. */
export interface TestCustomer {
  readonly owner: Owner
  readonly calls: Calls
  /** The id of a field of the platform. */
  field(slug: string): string
  sealToOneself(text: string): Promise<string>
  /** Sets a field, with one share for each live slot that it feeds. */
  put(field: string, value: string, shares?: readonly TestShare[]): Promise<Answer>
  /** Decisions: one that follows a field, one without, and a snapshot. */
  linked(desk: Desk, slug: string, field: string, value: string): Promise<TestDecision>
  typed(desk: Desk, slug: string, value: string): Promise<TestDecision>
  once(desk: Desk, slug: string, value: string, field?: string): Promise<TestDecision>
  connect(desk: Desk, decisions: readonly unknown[], key?: string): Promise<Answer>
  /** Connects and answers the id. */
  connected(desk: Desk, decisions: readonly unknown[]): Promise<string>
  /** The record of a connection, its one service link laid over it. */
  read(connectionId: string): Promise<Record<string, unknown>>
  list(): Promise<readonly Record<string, unknown>[]>
}

export interface TestShare {
  readonly desk: Desk
  readonly connectionId: string
  readonly slug: string
}

export interface TestDecision {
  readonly request_field_id: string
  readonly kind: 'linked' | 'typed' | 'one_time'
  readonly value: string
  readonly source_field_id?: string
}

export async function openCustomer(
  two: TwoRegions,
  userType: 'person' | 'company' = 'person',
  region: 'eu' | 'us' = 'us',
): Promise<TestCustomer> {
  return customerFor(await newOwner(two, { userType, region }))
}

const CONNECTIONS = '/api/company-connections'

export async function customerFor(owner: Owner): Promise<TestCustomer> {
  const calls = callsWith(owner.apiUrl, owner.token)
  const isCompany = owner.user.userType === 'company'
  const found = listOf((await demand(calls('GET', '/api/contact-fields?limit=500')))['items'])
  const fields = new Map(found.map(({ slug, id }) => [slug, String(id)]))
  const field = (slug: string): string => fields.get(slug) ?? ''

  const customer: TestCustomer = {
    owner,
    calls,
    field,
    sealToOneself: (text) => sealToSelf(owner, text),
    async put(slug, value, shares = []) {
      const body = {
        value: isCompany ? value : await sealToSelf(owner, value),
        shares: await Promise.all(shares.map((share) => sealShare(share, value))),
      }
      return calls('PUT', `/api/contact-data/${field(slug)}`, { body })
    },
    async linked(desk, slug, source, value) {
      return { ...(await decide(desk, slug, value)), kind: 'linked', source_field_id: field(source) }
    },
    typed: (desk, slug, value) => decide(desk, slug, value),
    async once(desk, slug, value, source) {
      const from = source === undefined ? {} : { source_field_id: field(source) }
      return { ...(await decide(desk, slug, value)), kind: 'one_time', ...from }
    },
    connect: (desk, decisions, key) =>
      calls('POST', CONNECTIONS, { body: { code: desk.code, decisions }, ...(key === undefined ? {} : { key }) }),
    connected: async (desk, decisions) => String((await demand(customer.connect(desk, decisions), 201))['id']),
    async read(connectionId) {
      const record = await demand(calls('GET', `${CONNECTIONS}/${connectionId}`))
      return { ...record, ...membersOf(listOf(record['services'])[0]) }
    },
    list: async () => listOf((await demand(calls('GET', CONNECTIONS)))['connections']),
  }
  return customer
}

async function decide(desk: Desk, slug: string, value: string): Promise<TestDecision> {
  return { request_field_id: desk.row(slug), kind: 'typed', value: await desk.seal(value) }
}

async function sealShare({ desk, connectionId, slug }: TestShare, value: string) {
  return { connection_id: connectionId, slug, value: await desk.seal(value) }
}
