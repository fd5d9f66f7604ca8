import { createCryptoPlatform, openWrapper } from '@sealpost/crypto'
import { waitUntil } from '../engines/index.ts'
import { type Calls, clientCalls, portalOf } from '../people/client-calls.ts'
import { demand, sealTo } from '../people/contact-data.ts'
import { addService, openServiceKey } from '../people/services.ts'
import { type CompanyPersona, northwind } from '../personas.ts'
import type { TwoRegions } from '../two-regions.ts'
import { listOf, membersOf } from './members.ts'

const platform = createCryptoPlatform(globalThis)
const IN_TIME_MS = 15_000

export interface AskedField {
  readonly slug: string
  readonly type?: string
  readonly [more: string]: unknown
}

/** A service of its own with its owner behind it: what it publishes, reads and can open. */
export interface Desk {
  /** `COMPANYCODE/SERVICECODE`. */
  readonly code: string
  readonly serviceId: string
  readonly portal: Calls
  /** The data client. */
  readonly data: Calls
  /** A token of the data client. */
  token(): Promise<string>
  /** The id of a published row. */
  row(slug: string): string
  /** Replaces what is asked for; fields that have a slug of before keep their id. */
  publish(fields: readonly AskedField[]): Promise<void>
  seal(text: string): Promise<string>
  open(wrapper: unknown): Promise<string>
  /** The record of a connection; null when there is none. */
  read(connectionId: string): Promise<Record<string, unknown> | null>
  /** The plaintext of a slot; null when it holds none. */
  value(connectionId: string, slug: string): Promise<string | null>
  waitForValue(connectionId: string, slug: string, wanted: string | null): Promise<void>
  /** Another process of the region answers from now on. */
  moveTo(url: string): void
  /** Everything that is queued, which empties the feed. */
  drain(): Promise<readonly Record<string, unknown>[]>
  /** Drains until so many have come. */
  events(count: number): Promise<readonly Record<string, unknown>[]>
}

export interface DeskOptions {
  readonly company?: CompanyPersona
  readonly audience?: 'person' | 'company' | 'both'
}

let desks = 0

export async function openDesk(
  two: TwoRegions,
  fields: readonly AskedField[],
  { company = northwind, audience = 'both' }: DeskOptions = {},
): Promise<Desk> {
  desks += 1
  const shareCode = `T${desks}`
  const name = `Service ${desks}`
  const service = await addService(two, company.region === 'eu' ? 'eu' : 'us', company.companyId, name)
  const portal = await portalOf(two, company)
  const at = `/api/services/${service.serviceId}`
  await demand(portal('PUT', `${at}/share-code`, { body: { share_code: shareCode } }))
  if (audience !== 'both') await demand(portal('PUT', at, { body: { name, audience } }))
  const client = await demand(portal('POST', `${at}/client`, { body: {} }), 201)
  const credentials = { clientId: String(client['client_id']), clientSecret: String(client['client_secret']) }
  const calls = await clientCalls(two, credentials.clientId, credentials.clientSecret)
  const key = await openServiceKey(service)
  let moved: { readonly url?: string } = {}
  const data: Calls = (method, path, sent) => calls(method, path, { ...moved, ...sent })
  const rows = new Map<string, string>()

  async function open(wrapper: unknown): Promise<string> {
    const opened = await openWrapper(platform, key, String(wrapper))
    if (!opened.ok) throw new Error(`the value could not be opened: ${opened.refusal}`)
    return opened.value
  }

  const desk: Desk = {
    code: `${company.shareCode}/${shareCode}`,
    serviceId: service.serviceId,
    portal,
    data,
    token: () => two.token(credentials),
    row: (slug) => rows.get(slug) ?? '',
    publish: (wanted) => publish(portal, at, wanted, rows),
    seal: (text) => sealTo(service.publicKey, text),
    open,
    read: (id) => readConnection(data, id),
    async value(id, slug) {
      const entry = membersOf(membersOf((await desk.read(id))?.['values'])[slug])
      return typeof entry['value'] === 'string' ? open(entry['value']) : null
    },
    waitForValue: (id, slug, wanted) =>
      waitUntil(`${slug} is ${wanted}`, IN_TIME_MS, async () => (await desk.value(id, slug)) === wanted),
    moveTo(url) {
      moved = { url }
    },
    drain: async () => listOf((await demand(data('GET', '/api/company-data/changes?limit=500')))['changes']),
    events: (count) => collectEvents(() => desk.drain(), count),
  }
  await desk.publish(fields)
  return desk
}

/** Drains again and again until so many events have come. */
export async function collectEvents(
  drain: () => Promise<readonly Record<string, unknown>[]>,
  count: number,
): Promise<readonly Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = []
  await waitUntil(`${count} events came`, IN_TIME_MS, async () => {
    events.push(...(await drain()))
    return events.length >= count
  })
  return events
}

async function publish(portal: Calls, at: string, wanted: readonly AskedField[], rows: Map<string, string>) {
  const known = await demand(portal('GET', `${at}/request-fields`))
  const body = {
    config_token: known['config_token'],
    request_fields: wanted.map((field) => ({
      label: field.slug,
      type: 'text',
      ...(rows.has(field.slug) ? { id: rows.get(field.slug) } : {}),
      ...field,
    })),
  }
  const published = await demand(portal('PUT', `${at}/request-fields`, { body }))
  rows.clear()
  for (const { slug, id } of listOf(published['request_fields'])) rows.set(String(slug), String(id))
}

async function readConnection(data: Calls, id: string): Promise<Record<string, unknown> | null> {
  const { status, body } = await data('GET', `/api/company-data/connections/${id}`)
  return status === 200 ? { ...body } : null
}
