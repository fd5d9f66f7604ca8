import { createServiceKey } from '@sealpost/crypto'
import { expect, test } from 'vitest'
import { startStubService } from '../../test/stub-service.ts'
import { KeyChangedError } from '../index.ts'
import { hostPlatform } from './host.ts'
import { fingerprintOf } from './public-key.ts'

const USER = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'

async function newKey(): Promise<{ public_key: string; public_key_sha256: string }> {
  const { publicKey } = await createServiceKey(hostPlatform())
  return { public_key: publicKey, public_key_sha256: await fingerprintOf(publicKey) }
}

const ofPerson = { user_id: USER, share_code: 'ABC234', user_type: 'person' }

test('a changed key is an error on every route', async () => {
  const [first, second] = [await newKey(), await newKey()]
  await using service = await startStubService(({ path }, count) => {
    const { public_key: key } = count > 2 ? second : first
    if (path === '/api/keys/batch') return { status: 200, json: { keys: { [USER]: key } } }
    return { status: 200, json: { ...(count > 2 ? second : first), ...ofPerson } }
  })
  const { keys } = service.client

  expect((await keys.read(' abc234 ')).public_key).toBe(first.public_key)
  expect((await keys.readMany([USER])).get(USER)).toBe(first.public_key)
  const error = await keys.read('ABC234').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(KeyChangedError)
  expect(error).toMatchObject({ pinned: first.public_key_sha256, received: second.public_key_sha256 })
  await expect(keys.readMany([USER])).rejects.toBeInstanceOf(KeyChangedError)
})

test('a fingerprint that does not match its key is refused', async () => {
  const key = { ...(await newKey()), public_key_sha256: 'ab'.repeat(32), ...ofPerson }
  await using service = await startStubService(() => ({ status: 200, json: key }))

  await expect(service.client.keys.read('ABC234')).rejects.toBeInstanceOf(KeyChangedError)
})

test('a store of pins is read and written', async () => {
  const key = await newKey()
  const service_id = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607199'
  const pins = new Map<string, string>()
  await using service = await startStubService(() => ({ status: 200, json: { ...key, service_id } }), { pins })

  await service.client.keys.readOfService('acme / main')
  const owners = ['service:ACME/MAIN', `service:${service_id}`]
  expect(pins).toEqual(new Map(owners.map((owner) => [owner, key.public_key_sha256])))
  expect(service.region.received[0]?.path).toBe('/api/keys/ACME/MAIN')
  pins.set(`service:${service_id}`, 'cd'.repeat(32))
  await expect(service.client.keys.readOfService('ACME/MAIN')).rejects.toBeInstanceOf(KeyChangedError)
  pins.set(`service:${service_id}`, key.public_key_sha256)
  pins.set('service:ACME/MAIN', 'cd'.repeat(32))
  await expect(service.client.keys.readOfService('ACME/MAIN')).rejects.toBeInstanceOf(KeyChangedError)
  await expect(service.client.keys.readOfService('ACME')).rejects.toThrow('COMPANYCODE/SERVICECODE')
})

test('a long list of users is read in batches', async () => {
  await using service = await startStubService(() => ({ status: 200, json: { keys: {} } }))

  await service.client.keys.readMany(Array.from({ length: 230 }, () => USER))
  expect(service.region.received.map(({ body }) => JSON.parse(body).user_ids.length)).toEqual([100, 100, 30])
})
