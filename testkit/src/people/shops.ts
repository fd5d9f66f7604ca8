import { createCryptoPlatform, openWrapper } from '@sealpost/crypto'
import { waitUntil } from '../engines/wait-until.ts'
import type { TwoRegions } from '../two-regions.ts'
import { type Calls, callsWith, clientCalls } from './client-calls.ts'
import { contactPath, demand, sealTo, sealToSelf } from './contact-data.ts'
import { newOwner, type Owner } from './owners.ts'
import { logIn, signUp, type TestUser } from './people.ts'
import { addService, openServiceKey, type TestService } from './services.ts'

const platform = createCryptoPlatform(globalThis)

/** A company in eu with a service, its data client and its portal. */
export interface Shop {
  readonly two: TwoRegions
  readonly company: TestUser
  readonly portal: Calls
  readonly service: TestService
  /** COMPANYCODE/SERVICECODE */
  readonly code: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  /** The data client of the service. */
  readonly data: Calls
}

export interface ShopRow {
  readonly slug: string
  readonly type: string
  readonly [member: string]: unknown
}

export async function openShop(two: TwoRegions, rows: readonly ShopRow[] = []): Promise<Shop> {
  const company = await signUp(two, { userType: 'company', region: 'eu', displayName: 'A shop' })
  await two.eu.operations.setLevel(company.userId, 'pro')
  const login = await logIn(two, company)
  return openShopService(two, company, callsWith(login.apiUrl, login.token), rows)
}

/** One more service of the same company. */
export async function openShopService(
  two: TwoRegions,
  company: TestUser,
  portal: Calls,
  rows: readonly ShopRow[] = [],
): Promise<Shop> {
  const service = await addService(two, 'eu', company.userId)
  const made = await demand(portal('POST', `/api/services/${service.serviceId}/client`), 201)
  const client = { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) }
  const data = await clientCalls(two, client.clientId, client.clientSecret)
  const { share_code } = await demand(portal('GET', `/api/services/${service.serviceId}`))
  const shop = { two, company, portal, service, code: `${company.shareCode}/${String(share_code)}`, client, data }
  if (rows.length > 0) await publishRows(shop, rows)
  return shop
}

/** Publishes exactly these rows; those that keep their slug keep their id. */
export async function publishRows({ portal, service }: Shop, rows: readonly ShopRow[]): Promise<void> {
  const path = `/api/services/${service.serviceId}/request-fields`
  const { config_token, request_fields } = await demand(portal('GET', path))
  const known = new Map(rowsIn(request_fields).map((row) => [row.slug, row['id']]))
  const wanted = rows.map((row) => ({ label: `Your ${row.slug}`, ...idOf(known.get(row.slug)), ...row }))
  await demand(portal('PUT', path, { body: { config_token, request_fields: wanted } }))
}

function rowsIn(request_fields: unknown): readonly ShopRow[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  return request_fields as readonly ShopRow[]
}

function idOf(id: unknown): { readonly id?: unknown } {
  return id === undefined ? {} : { id }
}

/** The id of a published row. */
export async function rowIdOf({ data }: Shop, slug: string): Promise<string> {
  const { request_fields } = await demand(data('GET', '/api/company-data/request-fields'))
  const row = rowsIn(request_fields).find((known) => known.slug === slug)
  if (row === undefined) throw new Error(`there is no row ${slug}`)
  return String(row['id'])
}

export function newShopper(two: TwoRegions): Promise<Owner> {
  return newOwner(two, { userType: 'person', region: 'us' })
}

export interface Decided {
  readonly slug: string
  readonly kind?: 'linked' | 'typed' | 'one_time'
  /** In the clear; sealed to the service before it is sent. */
  readonly text?: string
  readonly file?: object
  /** The slug of the contact field behind it. */
  readonly source?: string
}

export async function decideOn(shop: Shop, person: Owner, decided: readonly Decided[]): Promise<object[]> {
  return Promise.all(
    decided.map(async ({ slug, kind = 'typed', text, file, source }) => ({
      request_field_id: await rowIdOf(shop, slug),
      kind,
      ...(text === undefined ? {} : { value: await sealTo(shop.service.publicKey, text) }),
      ...(file === undefined ? {} : { file }),
      ...(source === undefined ? {} : { source_field_id: await fieldIdOf(person, source) }),
    })),
  )
}

/** As the person's app does it. Answers the id of the connection. */
export async function connectTo(shop: Shop, person: Owner, decided: readonly Decided[] = []): Promise<string> {
  const body = { code: shop.code, decisions: await decideOn(shop, person, decided) }
  return String((await demand(person.call('POST', '/api/company-connections', body), 201))['id'])
}

export async function fieldIdOf(person: Owner, slug: string): Promise<string> {
  return (await contactPath(person, slug)).split('/').at(-1) ?? ''
}

/** Sets a value of the person's own, with what follows it live. */
export async function setField(
  person: Owner,
  slug: string,
  value: { readonly text: string; readonly isPrivate?: boolean; readonly isClear?: boolean },
  shares: readonly object[] = [],
): Promise<void> {
  const { text, isPrivate = true, isClear = false } = value
  const body = {
    value: isClear ? text : await sealToSelf(person, text),
    is_private: isPrivate,
    shares,
  }
  await demand(person.call('PUT', await contactPath(person, slug), body))
}

/** As the company's backend reads it. */
export async function openSealed({ service }: Shop, wrapper: unknown): Promise<string> {
  const opened = await openWrapper(platform, await openServiceKey(service), String(wrapper))
  if (!opened.ok) throw new Error(`this cannot be opened: ${opened.refusal}`)
  return opened.value
}

/** Lets days pass. Tables for days far ahead are made by a process that starts then. */
export async function passDays(two: TwoRegions, ms: number): Promise<void> {
  two.clock.advance(ms)
  for (const region of ['eu', 'us'] as const) await (await two.another(region)).close()
}

/** Whatever is answered, as bytes. */
export async function fetchFile(
  { two, client }: Pick<Shop, 'two' | 'client'>,
  path: string,
): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer }> {
  const headers = { authorization: `Bearer ${await two.token(client)}` }
  const answer = await fetch(`${two.eu.url}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

type Members = Readonly<Record<string, unknown>>

export interface FeedEvent extends Members {
  readonly event: string
}

/** Everything that waits in the feed of the service. */
export async function drainFeed({ data }: Shop): Promise<readonly FeedEvent[]> {
  const { changes } = await demand(data('GET', '/api/company-data/changes?limit=500'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  return changes as readonly FeedEvent[]
}

/** Drains until these many events have come. */
export async function drainEvents(shop: Shop, count: number): Promise<readonly FeedEvent[]> {
  const events: FeedEvent[] = []
  await waitUntil(`${count} events have come`, 20_000, async () => {
    events.push(...(await drainFeed(shop)))
    return events.length >= count
  })
  return events
}
