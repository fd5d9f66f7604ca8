import { createCryptoPlatform, openWrapper } from '@sealpost/crypto'
import type { ServiceId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import type { NewEvent } from '@sealpost/region/feed'
import { waitUntil } from '../engines/wait-until.ts'
import { bodyOf } from '../people/call.ts'
import { type Calls, clientCalls } from '../people/client-calls.ts'
import { sealTo } from '../people/contact-data.ts'
import { listOf, membersOf } from '../sharing/members.ts'
import type { Company } from './account.ts'
import { eventAppender } from './events.ts'
import { insideOf } from './inside.ts'
import { nextServiceSecrets, type ServiceSecrets } from './key-ring.ts'
import { type Place, renewedCalls, siteOf } from './place.ts'
import { makeWebhook, type MadeWebhook, type Webhook, webhookOf } from './webhook.ts'

export interface RequestField {
  readonly slug: string
  /** `text` unless told. */
  readonly type?: string
  readonly [more: string]: unknown
}

export interface ServiceWish {
  readonly name?: string
  readonly shareCode?: string
  readonly audience?: 'person' | 'company' | 'both'
}

/** A service with its data client: what its company publishes, and what its backend reads and can open. */
export interface Service extends ServiceSecrets {
  readonly serviceId: ServiceId
  /** `/api/services/ID`, for the portal. */
  readonly path: string
  /** `COMPANYCODE/SERVICECODE`. */
  readonly code: string
  readonly company: Company
  readonly portal: Calls
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  /** Calls of the data client. */
  readonly data: Calls
  /** A fresh token of the data client. */
  token(): Promise<string>
  /** Another process of the region answers the data client from now on. */
  moveTo(url: string): void
  /** A file, as the data client gets it. */
  download(path: string): Promise<Download>

  /** Replaces what is asked for; fields with a known slug keep their id. */
  publish(fields: readonly RequestField[]): Promise<void>
  /** The id of a published request field. */
  row(slug: string): string

  seal(text: string): Promise<string>
  open(wrapper: unknown): Promise<string>
  /** The record of a connection; null when there is none. */
  read(connectionId: string): Promise<Record<string, unknown> | null>
  /** The plaintext of a slot; null when it holds none. */
  value(connectionId: string, slug: string): Promise<string | null>
  waitForValue(connectionId: string, slug: string, wanted: string | null): Promise<void>

  /** Drains everything that is queued. */
  drain(): Promise<readonly FeedEvent[]>
  /** Drains until this many events have come. */
  events(count: number): Promise<readonly FeedEvent[]>
  /** Appends events to the feed in one transaction; answers their ids. Members that are left out have defaults. */
  append(...events: readonly Partial<NewEvent>[]): Promise<readonly string[]>
  /** Appends one in the caller's transaction. */
  appendIn(tx: Tx): Promise<readonly string[]>
  /** Appends one through another pool. */
  appendBy(database?: Database): Promise<readonly string[]>

  /** A webhook with a receiver of its own, which is closed when the file ends. */
  webhook(members?: object): Promise<Webhook>
  /** A webhook to any address; `url` is a required member. */
  makeWebhook(members: Readonly<Record<string, unknown>>): Promise<MadeWebhook>
  logs(): Promise<readonly Record<string, unknown>[]>
}

export interface FeedEvent {
  readonly event: string
  readonly [member: string]: unknown
}

export interface Download {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

const IN_TIME_MS = 15_000
const platform = createCryptoPlatform(globalThis)
let services = 0

export async function makeService(
  place: Place,
  company: Company,
  fields: readonly RequestField[],
  { name, shareCode, audience = 'both' }: ServiceWish,
): Promise<Service> {
  services += 1
  const { ids, operations } = insideOf(place[siteOf(company.region)])
  const secrets = await nextServiceSecrets(company)
  const { publicKey, encryptedPrivateKey } = secrets
  const record = {
    id: ids.uuid<ServiceId>(),
    name: name ?? `Service ${services}`,
    shareCode: shareCode ?? `T${services}`,
    adminEmail: 'services@company.example',
    audience,
  }
  await operations.createService({ companyId: company.companyId, ...record, publicKey, encryptedPrivateKey })
  const service = await openService(place, company, secrets, record)
  if (fields.length > 0) await service.publish(fields)
  return service
}

async function openService(
  place: Place,
  company: Company,
  secrets: ServiceSecrets,
  { id: serviceId, shareCode }: { readonly id: ServiceId; readonly shareCode: string },
): Promise<Service> {
  const { portal } = company
  const path = `/api/services/${serviceId}`
  const made = await bodyOf(portal('POST', `${path}/client`, { body: {} }), 201)
  const client = { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) }
  const enter = (): Promise<Calls> => clientCalls(place, client.clientId, client.clientSecret)
  const calls = renewedCalls(place.clock, enter)
  let moved: { readonly url?: string } = {}
  const data: Calls = (method, at, sent) => calls(method, at, { ...moved, ...sent })
  const token = (): Promise<string> => place.token(client)
  const base = { serviceId, path, company, portal, client, data, token }
  return {
    ...secrets,
    ...base,
    code: `${company.shareCode}/${shareCode}`,
    moveTo(url) {
      moved = { url }
    },
    download: async (at) => download(`${moved.url ?? company.apiUrl}${at}`, await token()),
    ...publishing(portal, path),
    seal: (text) => sealTo(secrets.publicKey, text),
    ...reading(data, secrets),
    ...feed(data),
    ...eventAppender(insideOf(place[siteOf(company.region)]), company.companyId, serviceId),
    webhook: (members = {}) => webhookOf(place, portal, path, members),
    makeWebhook: (members) => makeWebhook(portal, path, members),
    logs: async () => listOf((await bodyOf(portal('GET', `${path}/logs`)))['items']),
  }
}

function publishing(portal: Calls, path: string): Pick<Service, 'publish' | 'row'> {
  const rows = new Map<string, string>()
  return {
    async publish(wanted) {
      const { config_token } = await bodyOf(portal('GET', `${path}/request-fields`))
      const request_fields = wanted.map((field) => ({
        label: field.slug,
        type: 'text',
        ...(rows.has(field.slug) ? { id: rows.get(field.slug) } : {}),
        ...field,
      }))
      const body = { config_token, request_fields }
      const published = await bodyOf(portal('PUT', `${path}/request-fields`, { body }))
      rows.clear()
      for (const { slug, id } of listOf(published['request_fields'])) rows.set(String(slug), String(id))
    },
    row(slug) {
      const id = rows.get(slug)
      if (id === undefined) throw new Error(`the service has published no request field ${slug}`)
      return id
    },
  }
}

function reading(
  data: Calls,
  { openingKey }: ServiceSecrets,
): Pick<Service, 'open' | 'read' | 'value' | 'waitForValue'> {
  async function open(wrapper: unknown): Promise<string> {
    const opened = await openWrapper(platform, openingKey, String(wrapper))
    if (!opened.ok) throw new Error(`the value could not be opened: ${opened.refusal}`)
    return opened.value
  }
  async function read(connectionId: string): Promise<Record<string, unknown> | null> {
    const { status, body } = await data('GET', `/api/company-data/connections/${connectionId}`)
    return status === 200 ? { ...body } : null
  }
  async function value(connectionId: string, slug: string): Promise<string | null> {
    const entry = membersOf(membersOf((await read(connectionId))?.['values'])[slug])
    return typeof entry['value'] === 'string' ? open(entry['value']) : null
  }
  return {
    open,
    read,
    value,
    waitForValue: (connectionId, slug, wanted) =>
      waitUntil(`${slug} is ${wanted}`, IN_TIME_MS, async () => (await value(connectionId, slug)) === wanted),
  }
}

function feed(data: Calls): Pick<Service, 'drain' | 'events'> {
  async function drain(): Promise<readonly FeedEvent[]> {
    const { changes } = await bodyOf(data('GET', '/api/company-data/changes?limit=500'))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
    return changes as readonly FeedEvent[]
  }
  return {
    drain,
    async events(count) {
      const events: FeedEvent[] = []
      await waitUntil(`${count} events came`, IN_TIME_MS, async () => {
        events.push(...(await drain()))
        return events.length >= count
      })
      return events
    },
  }
}

async function download(url: string, token: string): Promise<Download> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
