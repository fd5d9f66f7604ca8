import { createHmac } from 'node:crypto'
import {
  createCryptoPlatform,
  importAccountOpeningKey,
  importWebhookSecret,
  openAccountEnvelope,
  verifyPlatformSignature,
  verifyStandardSignature,
} from '@sealpost/crypto'
import { readXml } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'
import { keyOf, openWorld, type ReceivedHook } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const platform = createCryptoPlatform(globalThis)
const SECRET = 'a chosen secret of ours'

const world = await openWorld()
const service = await world.service()
const { company, portal } = service

/** The delivery of one event to a new webhook. */
async function deliver(
  members: object,
): Promise<{ readonly received: ReceivedHook; readonly id: string; readonly hookId: string }> {
  const hook = await service.webhook(members)
  const [id = ''] = await service.append()
  const [received] = await hook.receiver.take(1)
  expect(await portal('DELETE', hook.path)).toMatchObject({ status: 204 })
  if (received === undefined) throw new Error('no delivery came')
  return { received, id, hookId: hook.id }
}

async function verifies(received: ReceivedHook, secret: string): Promise<{ platform: boolean; standard: boolean }> {
  const key = await importWebhookSecret(platform, new Secret(secret))
  if (!key.ok) throw new Error(key.refusal)
  const bytes = Uint8Array.from(received.body)
  const text = (name: string): string => String(received.headers[name])
  const headers = { id: text('webhook-id'), timestamp: text('webhook-timestamp'), signature: text('webhook-signature') }
  const standard = await verifyStandardSignature(platform, [key.value], headers, bytes, { now: world.clock.now() })
  const own = await verifyPlatformSignature(platform, [key.value], text('x-platform-signature'), bytes)
  return { platform: own.ok, standard: standard.ok }
}

describe('format', () => {
  test('is JSON by default, with headers for webhook and event [HOOK-04] [HOOK-17]', async () => {
    const { received, hookId } = await deliver({})
    expect(received.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Platform-Webhooks/1',
      'x-platform-event': 'connection_deleted',
      'x-platform-webhook-id': hookId,
      'webhook-timestamp': String(Math.floor(world.clock.now() / 1000)),
    })
    expect(received.json).toMatchObject({ event: 'connection_deleted', at: world.time() })
  })

  test('XML has the same members [HOOK-04]', async () => {
    const { received } = await deliver({ format: 'xml' })
    expect(received.headers['content-type']).toBe('application/xml; charset=utf-8')
    const json = (await deliver({})).received.json
    const xml = readXml(received.body.toString())
    expect(Object.keys(xml as object).toSorted()).toEqual(Object.keys(json).toSorted())
    expect(xml).toMatchObject({ event: 'connection_deleted', share_code: json['share_code'] })
  })

  test('the body of a live delivery has its own id; the durable one is in the header [HOOK-27]', async () => {
    const { received, id } = await deliver({})
    expect(received.headers['webhook-id']).toBe(id)
    expect(received.json['id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(received.json['id']).not.toBe(id)
  })
})

describe('authentication', () => {
  test('hmac, the default, signs the raw bytes in both schemes [HOOK-05] [HOOK-12]', async () => {
    const { received } = await deliver({ hmac_secret: SECRET })
    const hex = createHmac('sha256', SECRET).update(received.body).digest('hex')
    expect(received.headers['x-platform-signature']).toBe(hex)
    expect(await verifies(received, SECRET)).toEqual({ platform: true, standard: true })
    expect(await verifies(received, 'another secret')).toEqual({ platform: false, standard: false })
  })

  test('the generated secret that was answered signs the deliveries', async () => {
    const hook = await service.webhook()
    await service.append()
    const [received] = await hook.receiver.take(1)
    const secret = String(hook.made['hmac_secret_once'])
    expect(secret).toMatch(/^whsec_/)
    expect(received && (await verifies(received, secret))).toEqual({ platform: true, standard: true })
  })

  test('bearer [HOOK-05] [HOOK-13]', async () => {
    const { received } = await deliver({ auth_type: 'bearer', auth_token: 'the-token' })
    expect(received.headers['authorization']).toBe('Bearer the-token')
    expect(received.headers).not.toHaveProperty('x-platform-signature')
    expect(received.headers).not.toHaveProperty('webhook-signature')
  })

  test('basic [HOOK-05] [HOOK-14]', async () => {
    const { received } = await deliver({ auth_type: 'basic', auth_username: 'us', auth_password: 'p:w' })
    expect(received.headers['authorization']).toBe(`Basic ${Buffer.from('us:p:w').toString('base64')}`)
  })

  test('header, which may be Authorization [HOOK-05] [HOOK-15] [HOOK-39]', async () => {
    const own = { auth_type: 'header', auth_header_name: 'X-Api-Key', auth_header_value: 'k-1' }
    expect((await deliver(own)).received.headers['x-api-key']).toBe('k-1')
    const name = { ...own, auth_header_name: 'Authorization', auth_header_value: 'ApiKey k-2' }
    expect((await deliver(name)).received.headers['authorization']).toBe('ApiKey k-2')
  })

  test.each(['Host', 'content-type', 'Content-Length', 'webhook-id', 'X-Platform-Event'])(
    'a header of the platform is refused: %s [HOOK-39]',
    async (auth_header_name) => {
      const body = { url: 'https://hooks.example/', auth_type: 'header', auth_header_name, auth_header_value: 'x' }
      const refused = await portal('POST', `${service.path}/webhooks`, { body })
      expect([refused.status, keyOf(refused)]).toEqual([400, 'services.webhook_auth_invalid'])
    },
  )

  test('none [HOOK-05] [HOOK-16]', async () => {
    const { headers } = (await deliver({ auth_type: 'none' })).received
    for (const name of ['authorization', 'x-platform-signature', 'webhook-signature'])
      expect(headers).not.toHaveProperty(name)
  })

  test('during a rotation both secrets verify, afterwards the new one only', async () => {
    const hook = await service.webhook({ hmac_secret: SECRET })
    const rotated = await hook.post('regenerate-hmac-secret', { grace_seconds: 3600 })
    const fresh = String(rotated.body['hmac_secret_once'])
    await service.append()
    const [during] = await hook.receiver.take(1)
    expect(during && (await verifies(during, fresh))).toEqual({ platform: true, standard: true })
    expect(during && (await verifies(during, SECRET))).toEqual({ platform: false, standard: true })
    world.clock.advance(3_600_000)
    await service.append()
    const [, after] = await hook.receiver.take(2)
    expect(after && (await verifies(after, fresh))).toEqual({ platform: true, standard: true })
    expect(after && (await verifies(after, SECRET))).toEqual({ platform: false, standard: false })
  })
})

describe('encrypt_payload', () => {
  async function openBody(received: ReceivedHook): Promise<string> {
    const key = await importAccountOpeningKey(platform, company.keys.privateKey)
    if (!key.ok) throw new Error(key.refusal)
    const opened = await openAccountEnvelope(platform, key.value, received.body.toString())
    if (!opened.ok) throw new Error(opened.refusal)
    return opened.value
  }

  test('seals the whole body to the account key, hides the event, and signs the sealed bytes [HOOK-06] [HOOK-18] [HOOK-39]', async () => {
    const { received } = await deliver({ encrypt_payload: true, hmac_secret: SECRET })
    expect(Object.keys(received.json).toSorted()).toEqual(['_enc', 'd', 'iv', 'k'])
    expect(received.headers['content-type']).toMatch(/^application\/json/)
    expect(received.headers).not.toHaveProperty('x-platform-event')
    expect(received.body.toString()).not.toContain('connection_deleted')
    expect(await verifies(received, SECRET)).toEqual({ platform: true, standard: true })
    expect(JSON.parse(await openBody(received))).toMatchObject({ event: 'connection_deleted' })
  })

  test('works with any authentication and format [HOOK-06]', async () => {
    const { received } = await deliver({
      encrypt_payload: true,
      format: 'xml',
      auth_type: 'bearer',
      auth_token: 'the-token',
    })
    expect(received.headers).toMatchObject({ authorization: 'Bearer the-token' })
    expect(received.headers['content-type']).toMatch(/^application\/json/)
    expect(readXml(await openBody(received))).toMatchObject({ event: 'connection_deleted' })
  })
})
