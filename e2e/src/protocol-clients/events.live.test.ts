import { randomBytes } from 'node:crypto'
import { addDevice, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { openBackend } from './backend.ts'
import { open, seal, sha256 } from './crypto.ts'
import { call, listOf, type Members, membersOf, must } from './http.ts'
import { connectPerson } from './parties.ts'
import { startReceiver } from './receiver.ts'
import { readXml } from './xml.ts'

const DATA = '/api/company-data'
const rows = [
  { slug: 'mail', type: 'email' },
  { slug: 'nick', type: 'text' },
]

/** The members that the documents name for each kind, beside those that every event has. */
const MEMBERS = {
  connection_created: ['customer_type'],
  connection_deleted: ['customer_type'],
  field_updated: ['slug', 'live', 'value'],
  field_deleted: ['slug'],
  consent_accepted: ['slug'],
  consent_declined: ['slug'],
  document_created: ['document_id', 'name', 'kind', 'payload_kind'],
  document_updated: ['document_id', 'name', 'kind', 'payload_kind'],
  document_deleted: ['document_id', 'name', 'kind', 'payload_kind'],
  document_status_changed: [
    'document_id',
    'status',
    'action',
    'method',
    'content_sha256',
    'signed_at',
    'cancel_effective_date',
    'sealed_at',
    'plain_sha256',
    'signer_first_name',
    'signer_last_name',
    'signer_name_verified',
  ],
  connection_request_accepted: ['request_id'],
  connection_request_rejected: ['request_id'],
  flow_run_turn: ['flow_run_id', 'awaiting_party'],
  flow_completed: ['flow_run_id'],
  flow_cancelled: ['flow_run_id', 'cancelled_by'],
  '2fa_challenge_completed': ['challenge_id', 'status', 'completed_at'],
  message_received: ['connection_id', 'message_id', 'person_public_key', 'created_at', 'body'],
} as const

const kinds = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[]
const EVERY = ['id', 'event', 'person_user_id', 'share_code', 'at', 'connection_id', 'service_id']

const world = await openWorld()
const backend = await openBackend(world, rows)
const { data, automation, portal, key, serviceId } = backend
const receivers = { json: await startReceiver(), xml: await startReceiver() }
for (const [format, receiver] of Object.entries(receivers)) {
  world.onEnd(() => receiver.close())
  const body = { url: receiver.url, format, events: [...kinds, 'key_rotated'] }
  await must(201, call(automation, 'POST', `/api/services/${serviceId}/webhooks`, { body }))
}
const account = await world.person()
const phone = await addDevice(account)
const sealed = (text: string): string => seal(key.members.public_key, text)
const typed = (slug: string, text: string) => ({
  request_field_id: backend.fieldId(slug),
  kind: 'typed',
  value: sealed(text),
})
const person = await connectPerson(backend, account, { decisions: [typed('mail', 'a@b.example'), typed('nick', 'M')] })
const own = `/api/company-connections/${person.connectionId}`
const drained: Members[] = []
let made: Promise<readonly Members[]> | null = null

/** The events of the feed after all that this file does. */
function readFeed(): Promise<readonly Members[]> {
  made ??= everyKind()
  return made
}

/** Each kind once, in an order in which none of them collapses; answers the events of the feed. */
async function everyKind(): Promise<readonly Members[]> {
  await changeValues()
  await answerConsents()
  await answerRequests()
  await changeDocuments()
  await approve()
  await run()
  const text = { body: sealed('When does it arrive?'), sender_body: seal(person.publicKey, 'When does it arrive?') }
  await must(201, call(person.access, 'POST', `${own}/messages`, { body: text }))
  await untilDrained('message_received')
  await must(204, call(data, 'DELETE', `${DATA}/connections/${person.connectionId}`))
  return untilDrained('connection_deleted')
}

async function changeValues(): Promise<void> {
  const withdrawn = { request_field_id: backend.fieldId('nick'), kind: 'none' }
  const body = { decisions: [typed('mail', 'c@d.example'), withdrawn] }
  await must(200, call(person.access, 'PUT', `${own}/services/${person.connectionId}/mappings`, { body }))
}

async function answerConsents(): Promise<void> {
  const path = `/api/services/${serviceId}/request-fields`
  for (const [slug, answer] of [
    ['reason', 'provide'],
    ['hobby', 'decline'],
  ] as const) {
    const { config_token, request_fields } = await must(200, call(automation, 'GET', path))
    const row = { slug, label: slug, type: 'text', one_time: true }
    const published = { config_token, request_fields: [...listOf(request_fields), row] }
    const { request_fields: rowsNow } = await must(200, call(automation, 'PUT', path, { body: published }))
    const request_field_id = listOf(rowsNow).find((one) => one['slug'] === slug)?.['id']
    const asked = async () => {
      const { consents } = await must(200, call(person.access, 'GET', '/api/company-connections/consents'))
      return listOf(consents).flatMap((one) => listOf(one['request_fields']).map((field) => field['id']))
    }
    await expect.poll(asked).toContain(request_field_id)
    const decisions = answer === 'decline' ? [] : [{ request_field_id, kind: 'one_time', value: sealed('curious') }]
    const at = `/api/company-connections/consents/${person.connectionId}/${answer}`
    const reply = await call(person.access, 'POST', at, answer === 'decline' ? {} : { body: { decisions } })
    expect(reply.status).toBeLessThan(300)
  }
}

async function answerRequests(): Promise<void> {
  for (const answer of ['accept', 'reject'] as const) {
    const asked = await world.person()
    const access = { url: asked.apiUrl, token: asked.token }
    const body = { share_code: asked.shareCode }
    const { request_id } = await must(201, call(data, 'POST', `${DATA}/connect-requests`, { body }))
    const at = '/api/customer/connect-requests'
    await expect.poll(async () => JSON.stringify((await call(access, 'GET', at)).body)).toContain(String(request_id))
    const reply = await call(access, 'POST', `${at}/${String(request_id)}/${answer}`, { body: { decisions: [] } })
    expect(reply.status).toBeLessThan(300)
  }
}

async function changeDocuments(): Promise<void> {
  const value = seal(person.publicKey, '{"title": "Terms"}')
  const target = { connection_id: person.connectionId }
  const offer = { name: 'Terms', payload_kind: 'json', target, requires_acceptance: true, value }
  const { id } = await must(201, call(data, 'POST', `${DATA}/documents`, { body: offer }))
  const path = `${own}/documents/${String(id)}`
  await expect.poll(async () => (await call(person.access, 'GET', path)).status).toBe(200)
  const accepted = { content_sha256: sha256(value) }
  await must(200, call(person.access, 'POST', `${path}/accept`, { body: accepted }))
  const plain = { ...offer, requires_acceptance: false }
  const { id: other } = await must(201, call(data, 'POST', `${DATA}/documents`, { body: plain }))
  const at = `${DATA}/documents/${String(other)}`
  await must(200, call(data, 'PUT', at, { body: { name: 'Notes' } }))
  await must(204, call(data, 'DELETE', at))
}

async function approve(): Promise<void> {
  const { client_id } = backend.client
  const state = randomBytes(16).toString('base64url')
  const enrolment = { client_id, mode: '2fa_enroll', response_mode: 'detached', state, decision: 'approve' }
  const atFront = { url: world.frontDoor.url, token: account.token }
  await must(200, call(atFront, 'POST', '/oauth2/authorize', { body: enrolment }))
  const wish = { share_code: person.shareCode, idempotency_key: 'one', context: 'Login' }
  const { challenge_id } = await must(200, call(data, 'POST', '/api/service-2fa/challenges', { body: wish }))
  const at = `/api/customer/2fa/challenges/${String(challenge_id)}/approve`
  const body = { assertion: phone.sign(String(challenge_id)) }
  await expect.poll(async () => (await call(person.access, 'POST', at, { body })).status).toBe(200)
}

/** One run that the company ends at its only step, and one that it cancels. */
async function run(): Promise<void> {
  const path = `/api/portal/services/${serviceId}/flows`
  const definition = {
    entry: 'end',
    output_mode: 'data_only',
    parties: [
      { key: 'company', label: 'Company', type: 'owner' },
      { key: 'customer', label: 'Customer', type: 'person' },
    ],
    nodes: [{ key: 'end', party: 'company', title: 'End', elements: [] }],
    edges: [],
    constants: [],
  }
  const draft = await must(201, call(portal, 'POST', path, { body: { name: 'Empty', definition } }))
  const body = { draft_token: draft['draft_token'] }
  await must(200, call(portal, 'POST', `${path}/${String(draft['id'])}/publish`, { body }))
  for (const [end, members] of [
    ['answers', { answers: [], leaf: true }],
    ['cancel', {}],
  ] as const) {
    const start = { target: { connection_id: person.connectionId } }
    const { id } = await must(201, call(data, 'POST', `${DATA}/flows/${String(draft['id'])}/runs`, { body: start }))
    await must(200, call(data, 'POST', `${DATA}/flow-runs/${String(id)}/${end}`, { body: members }))
  }
}

/** All events of the feed so far, which end with one of this kind. */
async function untilDrained(kind: string): Promise<readonly Members[]> {
  const poll = async (): Promise<readonly unknown[]> => {
    drained.push(...listOf((await must(200, call(data, 'GET', `${DATA}/changes?limit=500`)))['changes']))
    return drained.map(({ event }) => event)
  }
  await expect.poll(poll).toContain(kind)
  return drained
}

describe('every kind of event', () => {
  test('is in the feed, with the members of the documents [EVENT-01]', async () => {
    const feed = await readFeed()
    expect(new Set(feed.map(({ event }) => event))).toEqual(new Set(kinds))
    for (const kind of kinds) {
      const [event = {}] = feed.filter((one) => one['event'] === kind)
      const missing = [...EVERY, ...MEMBERS[kind]].filter((member) => !(member in event))
      expect([kind, missing]).toEqual([kind, []])
      expect(event['at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
      expect(event['service_id']).toBe(serviceId)
    }
    expect(new Set(feed.map(({ id }) => id)).size).toBe(feed.length)
  })

  test.each(['json', 'xml'] as const)('is sent to webhooks with the same content: %s', async (format) => {
    const feed = await readFeed()
    const { deliveries } = receivers[format]
    await expect.poll(() => deliveries.length).toBe(feed.length)
    for (const event of feed) {
      const sent = deliveries.find(({ headers }) => headers['webhook-id'] === event['id'])
      expect(sent?.headers['x-platform-event']).toBe(event['event'])
      const { id, ...content } = membersOf(format === 'json' ? JSON.parse(sent?.body ?? '') : readXml(sent?.body ?? ''))
      const { id: durable, ...queued } = event
      expect(content).toEqual(format === 'json' ? queued : asTexts(queued))
      // A live delivery has an id of its own: over webhooks the id is no key.
      expect(id).not.toBe(durable)
    }
  })

  test('opens with the key of the service, and never names the source field or a value in the clear', async () => {
    const feed = await readFeed()
    const [updated, message] = ['field_updated', 'message_received'].map((kind) =>
      feed.find(({ event }) => event === kind),
    )
    expect(open(key.privateKey, updated?.['value'])).toBe('c@d.example')
    expect(open(key.privateKey, message?.['body'])).toBe('When does it arrive?')
    expect(JSON.stringify(feed)).not.toMatch(/source_field|c@d\.example|curious|When does/)
  })
})

/** What XML keeps of JSON: texts, and nothing for null. */
function asTexts(members: Members): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null ? '' : JSON.stringify(value)
}
