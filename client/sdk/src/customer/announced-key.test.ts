import { generateKeyPair } from '@sealpost/crypto'
import { beforeAll, expect, test } from 'vitest'
import { optionsFor, refusal as refused, startFrontDoor, startRegion } from '../../test/stub-platform.ts'
import { CustomerClient, memoryPins } from '../index.ts'
import { hostPlatform } from '../keys/host.ts'
import { fingerprintOf } from '../keys/public-key.ts'

const SERVICE = '0196a8c4-5e6f-7a10-8b2c-000000000002'
let [right, swapped] = ['', '']

beforeAll(async () => {
  const [one, other] = await Promise.all([generateKeyPair(hostPlatform()), generateKeyPair(hostPlatform())])
  right = one.publicKey
  swapped = other.publicKey
})

/** A customer without pins, in front of a server that shows these keys, one after the other. */
async function startPerson(keys: () => readonly string[]) {
  let looks = 0
  const region = await startRegion(({ path }) => {
    if (!path.includes('/lookup/')) return refused(404, 'request.not_found')
    const shown = keys()
    const publicKey = shown[Math.min(looks, shown.length - 1)]
    looks += 1
    const service = { service_id: SERVICE, name: 'Main', code: 'MAIN', audience: 'both' }
    return {
      status: 200,
      json: { company: { share_code: 'ACME' }, service, public_key: publicKey, request_fields: [] },
    }
  })
  const frontDoor = await startFrontDoor(() => region.url)
  const { privateKey } = await generateKeyPair(hostPlatform())
  const { AccountKey } = await import('../index.ts')
  const key = await AccountKey.fromPkcs8(privateKey.reveal())
  const pins = memoryPins()
  return {
    region,
    pins,
    app: new CustomerClient({ ...optionsFor(frontDoor), pins, key }),
    async [Symbol.asyncDispose]() {
      await frontDoor[Symbol.asyncDispose]()
      await region[Symbol.asyncDispose]()
    },
  }
}

const refusal = { name: 'UntrustedAnswerError', reason: 'key_not_announced' }

test('a key that is exchanged at the first contact is refused by who knows the right one from the company', async () => {
  await using person = await startPerson(() => [swapped])
  const keyFingerprint = await fingerprintOf(right)
  await expect(person.app.lookup('acme/main', { keyFingerprint })).rejects.toMatchObject(refusal)
  await expect(person.app.connect('acme/main', {}, { keyFingerprint })).rejects.toMatchObject(refusal)
  expect(await person.pins.get('service:ACME/MAIN')).toBeUndefined()
  expect(person.region.received.some(({ method }) => method === 'POST')).toBe(false)
})

test('a server that shows the right key first and exchanges it while connecting is refused, too', async () => {
  await using person = await startPerson(() => [right, swapped])
  const keyFingerprint = await fingerprintOf(right)
  expect((await person.app.lookup('ACME/MAIN', { keyFingerprint })).public_key).toBe(right)
  await expect(person.app.connect('ACME/MAIN', {}, { keyFingerprint })).rejects.toMatchObject(refusal)
  expect(person.region.received.some(({ method }) => method === 'POST')).toBe(false)
})

test('without an announced key the first one is believed', async () => {
  await using person = await startPerson(() => [swapped])
  expect((await person.app.lookup('ACME/MAIN')).public_key).toBe(swapped)
})
