import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createCryptoPlatform, generateKeyPair, importAccountOpeningKey, openAccountEnvelope } from '@sealpost/crypto'
import { readXml } from '@sealpost/http'
import { type EventId, instant, Secret, type ServiceId, type UserId, type WebhookId } from '@sealpost/kernel'
import type { QueuedEvent } from '@sealpost/protocol'
import { fixedClock, fixedIds, TEST_START } from '@sealpost/testkit'
import type { SignCase } from '@sealpost/testkit/vectors/webhook-signatures'
import { describe, expect, test } from 'vitest'
import type { Endpoint, EndpointAuth } from '../model.ts'
import { buildMessage, type DeliveryContent, type Message, prepareEndpoint } from './message.ts'
import { signDelivery, type SigningKey, signingKey } from './sign.ts'

const platform = createCryptoPlatform(globalThis)
const ids = fixedIds(fixedClock())
const name = {
  companyId: ids.uuid<UserId>(),
  serviceId: ids.uuid<ServiceId>(),
  webhookId: ids.uuid<WebhookId>(),
}
const event: QueuedEvent = {
  id: ids.uuid(),
  event: 'connection_deleted',
  person_user_id: ids.uuid(),
  share_code: 'MARAXX',
  customer_type: 'person',
  at: '2026-05-01T09:30:00.000+00:00',
  connection_id: ids.uuid(),
  service_id: name.serviceId,
}
const ENDPOINT: Endpoint = {
  name,
  url: 'https://hooks.example/in',
  format: 'json',
  isEncrypted: false,
  accountKey: null,
  auth: { type: 'none' },
}
const SECRET = 'whsec_ENhuDri+wDol8qDCLJ7zju0e2BQFYjGa5iOJUGExQ0Q='

async function build(
  of: Partial<Endpoint> = {},
  content: Partial<DeliveryContent> = {},
  vendor = 'Platform',
): Promise<Message> {
  const prepared = await prepareEndpoint(vendor, { ...ENDPOINT, ...of })
  if (!prepared.ok) throw new Error(prepared.refusal)
  const durableId = event.id as EventId
  return buildMessage(ids, prepared.value, { event, durableId, isLive: true, at: TEST_START, ...content })
}

function textOf({ body }: Message): string {
  return Buffer.from(body).toString()
}

test('the body of a live delivery has its own id, that of a replay the durable one; the header has the durable one on both', async () => {
  const live = await build()
  const replay = await build({}, { isLive: false })
  const liveBody: unknown = JSON.parse(textOf(live))
  expect(liveBody).toEqual({ ...event, id: expect.any(String) })
  expect(liveBody).not.toMatchObject({ id: event.id })
  expect(JSON.parse(textOf(replay))).toEqual(event)
  expect([live.headers['webhook-id'], replay.headers['webhook-id']]).toEqual([event.id, event.id])
})

test('every delivery has the headers of sender, event and time', async () => {
  expect((await build()).headers).toEqual({
    'User-Agent': 'Platform-Webhooks/1',
    'Content-Type': 'application/json; charset=utf-8',
    'X-Platform-Webhook-Id': name.webhookId,
    'X-Platform-Event': 'connection_deleted',
    'webhook-id': event.id,
    'webhook-timestamp': String(TEST_START / 1000),
  })
})

test('header names contain the vendor of the installation', async () => {
  const { headers } = await build({ auth: { type: 'hmac', secret: new Secret(SECRET), earlier: [] } }, {}, 'Acme')
  expect(Object.keys(headers)).toEqual(
    expect.arrayContaining(['X-Acme-Webhook-Id', 'X-Acme-Event', 'X-Acme-Signature', 'webhook-signature']),
  )
})

test('XML has the same members', async () => {
  const { headers, body } = await build({ format: 'xml' }, { isLive: false })
  expect(headers['Content-Type']).toBe('application/xml; charset=utf-8')
  expect(readXml(Buffer.from(body).toString())).toEqual(event)
})

const auths: readonly [EndpointAuth, string, string][] = [
  [{ type: 'bearer', token: new Secret('tok en') }, 'Authorization', 'Bearer tok en'],
  [
    { type: 'basic', username: new Secret('müller'), password: new Secret('a:b') },
    'Authorization',
    `Basic ${Buffer.from('müller:a:b').toString('base64')}`,
  ],
  [{ type: 'header', name: new Secret('X-Key'), value: new Secret('v') }, 'X-Key', 'v'],
  [{ type: 'header', name: new Secret('authorization'), value: new Secret('Own v') }, 'authorization', 'Own v'],
]
test.each(auths)('auth %o', async (auth, header, value) => {
  const { headers } = await build({ auth })
  expect(headers[header]).toBe(value)
  expect(Object.keys(headers)).not.toContain('webhook-signature')
})

test('a custom header with the name of ours is sent once', async () => {
  const { headers } = await build({ auth: { type: 'header', name: new Secret('user-agent'), value: new Secret('x') } })
  expect(Object.keys(headers).filter((key) => key.toLowerCase() === 'user-agent')).toEqual(['user-agent'])
})

function signCases(): readonly SignCase[] {
  const file = new URL('../../../../../../../vectors/webhook-signatures.json', import.meta.url)
  const { sign } = JSON.parse(readFileSync(file, 'utf8')) as { readonly sign: readonly SignCase[] }
  return sign
}

describe('signatures', () => {
  test.each(signCases())('$name', ({ secrets, id, timestamp, body, platform: hex, standard }) => {
    const keys = secrets.map((secret) => signingKey(platform, new Secret(secret)))
    const delivery = { id, timestampSeconds: timestamp, body: Buffer.from(body) }
    expect(signDelivery(keys as [SigningKey], delivery)).toEqual({ platform: hex, standard })
  })

  test('during a rotation every secret signs until it expires, newest first; afterwards one', async () => {
    const [first, second] = [instant(TEST_START + 1000), instant(TEST_START + 2000)]
    const auth: EndpointAuth = {
      type: 'hmac',
      secret: new Secret(SECRET),
      earlier: [
        { secret: new Secret('an older one'), validUntil: first },
        { secret: new Secret('the oldest'), validUntil: second },
      ],
    }
    const during = await build({ auth })
    expect(during.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+ v1,\S+$/)
    expect((await build({ auth }, { at: first })).headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    expect((await build({ auth }, { at: second })).headers['webhook-signature']).toMatch(/^v1,\S+$/)
    const hex = createHmac('sha256', SECRET).update(during.body).digest('hex')
    expect(during.headers['X-Platform-Signature']).toBe(hex)
  })

  test('a secret that cannot sign is refused, and nothing is sent unsigned', async () => {
    await expect(build({ auth: { type: 'hmac', secret: new Secret(''), earlier: [] } })).rejects.toThrow(/HMAC/)
  })
})

test('an envelope hides format and event, and its bytes are signed', async () => {
  const pair = await generateKeyPair(platform)
  const opening = await importAccountOpeningKey(platform, pair.privateKey)
  if (!opening.ok) throw new Error(opening.refusal)
  const auth: EndpointAuth = { type: 'hmac', secret: new Secret(SECRET), earlier: [] }
  const message = await build({ isEncrypted: true, accountKey: pair.publicKey, format: 'xml', auth }, { isLive: false })
  expect(message.headers['Content-Type']).toBe('application/json')
  expect(Object.keys(message.headers)).not.toContain('X-Platform-Event')
  expect(message.headers['X-Platform-Signature']).toBe(createHmac('sha256', SECRET).update(message.body).digest('hex'))
  const opened = await openAccountEnvelope(platform, opening.value, textOf(message))
  expect(opened.ok && readXml(opened.value)).toEqual(event)
})

test('without an account key nothing is sent in the clear', async () => {
  await expect(build({ isEncrypted: true })).rejects.toThrow(/account key/)
})

test('without readable secrets nothing is sent unauthenticated', async () => {
  await expect(build({ auth: null })).rejects.toThrow('its secrets cannot be opened')
})

test('a printed endpoint contains no secret', async () => {
  const endpoint: Endpoint = { ...ENDPOINT, auth: { type: 'bearer', token: new Secret('very-secret') } }
  expect(JSON.stringify(await prepareEndpoint('Platform', endpoint))).not.toContain('very-secret')
})
