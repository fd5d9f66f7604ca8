import { createECDH, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { createCryptoPlatform, generateKeyPair, importSealingKey, type KeyPair, sealWrapper } from '../index.ts'
import { type AccountSecrets, deriveAccountSecrets, openRecord, sealRecord } from './account-secrets.ts'
import { pairFromSeed } from './p256.ts'
import { openStatement } from './statement.ts'
import { newBinding, signValue, verifyValue } from './value-signature.ts'

const platform = createCryptoPlatform(globalThis)
let pair: KeyPair
let secrets: AccountSecrets
let wrapper = ''
let otherWrapper = ''

async function derive(keys: KeyPair): Promise<AccountSecrets> {
  const derived = await deriveAccountSecrets(platform, keys.privateKey)
  if (!derived.ok) throw new Error(derived.refusal)
  return derived.value
}

beforeAll(async () => {
  pair = await generateKeyPair(platform)
  secrets = await derive(pair)
  const key = await importSealingKey(platform, pair.publicKey)
  if (!key.ok) throw new Error(key.refusal)
  const sealed = await Promise.all(['one', 'two'].map((text) => sealWrapper(platform, key.value, text)))
  ;[wrapper = '', otherWrapper = ''] = sealed.map((each) => (each.ok ? each.value : ''))
})

test('the public key of a private key is derived, byte for byte', () => {
  expect(secrets.publicKey).toBe(pair.publicKey)
  const key = createPrivateKey({ key: Buffer.from(pair.privateKey.reveal()), format: 'der', type: 'pkcs8' })
  expect(createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')).toBe(secrets.publicKey)
})

test.each([
  ['zeros', Uint8Array.from({ length: 48 }, () => 0), `${'0'.repeat(63)}1`],
  [
    'ones',
    Uint8Array.from({ length: 48 }, () => 0xff),
    '431905529c0166ce652e96b7ccca0a9a679b73e29ad16947f01cf012fc632550',
  ],
  [
    'rising bytes',
    Uint8Array.from({ length: 48 }, (_, at) => at * 5 + 1),
    '78bd26f9bcde7171525a2541704b232dde0b2b693e2507d5944fc08980a84fad',
  ],
])('the number of a seed stays: accounts have keys that follow from it (%s)', (_, seed, scalar) => {
  expect(Buffer.from(pairFromSeed(seed).scalar).toString('hex')).toBe(scalar)
})

test("points of P-256 are those of Node's implementation", () => {
  for (const seed of [Buffer.alloc(48), Buffer.alloc(48, 0xff), ...Array.from({ length: 20 }, () => randomBytes(48))]) {
    const { scalar, point } = pairFromSeed(Uint8Array.from(seed))
    const node = createECDH('prime256v1')
    node.setPrivateKey(Buffer.from(scalar))
    expect(Buffer.from(point).toString('hex')).toBe(node.getPublicKey('hex'))
  }
})

test('two devices with the same private key derive the same keys, another account derives others', async () => {
  const second = await derive(pair)
  expect(second.signer.publicKey).toBe(secrets.signer.publicKey)
  const record = await sealRecord(platform, secrets.recordKey, 'connection', 'text')
  expect(await openRecord(platform, second.recordKey, 'connection', record)).toBe('text')
  const stranger = await derive(await generateKeyPair(platform))
  expect(stranger.signer.publicKey).not.toBe(secrets.signer.publicKey)
  expect(await openRecord(platform, stranger.recordKey, 'connection', record)).toBeNull()
})

test('a record opens only unchanged and for its own purpose', async () => {
  const record = await sealRecord(platform, secrets.recordKey, 'connection', '{"a":"ü"}')
  const open = (text: string, purpose = 'connection') => openRecord(platform, secrets.recordKey, purpose, text)
  expect(await open(record)).toBe('{"a":"ü"}')
  expect(await open(record, 'value')).toBeNull()
  for (let at = 0; at < record.length; at += 1) {
    const changed = record[at] === 'A' ? 'B' : 'A'
    expect(await open(`${record.slice(0, at)}${changed}${record.slice(at + 1)}`)).toBeNull()
  }
  expect(await open(`${record}.x`)).toBeNull()
  expect(await open('')).toBeNull()
})

test('a signature holds for one wrapper, slot, recipient, connection and time', async () => {
  const place = { binding: newBinding(platform), recipient: 'ab'.repeat(32), slug: 'name' }
  const signed = await signValue(platform, secrets.signer, place, wrapper, 1_700_000_000_000)
  if (!signed.ok) throw new Error(signed.refusal)
  const verify = (text: string, about = {}, value = wrapper) =>
    verifyValue(platform, text, { ...place, ...about }, value)
  expect(await verify(signed.value)).toMatchObject({
    ok: true,
    value: { binding: place.binding, signer: secrets.signer.publicKey, time: 1_700_000_000_000 },
  })
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(wrapper)).toReversed()))
  expect(await verify(signed.value, {}, reordered)).toMatchObject({ ok: true })
  const mismatch = { ok: false, refusal: 'signature_mismatch' }
  expect(await verify(signed.value, { slug: 'home' })).toEqual(mismatch)
  expect(await verify(signed.value, { recipient: 'cd'.repeat(32) })).toEqual(mismatch)
  expect(await verify(signed.value, {}, otherWrapper)).toEqual(mismatch)
  expect(await verify(signed.value.replace('1700000000000', '1800000000000'))).toEqual(mismatch)
  expect(await verify(signed.value.replace(place.binding, newBinding(platform)))).toEqual(mismatch)
  const stranger = await derive(await generateKeyPair(platform))
  expect(await verify(signed.value.replace(secrets.signer.publicKey, stranger.signer.publicKey))).toEqual(mismatch)
  expect(await verify('v1.x')).toEqual({ ok: false, refusal: 'signature_malformed' })
  expect(await verify(signed.value, {}, 'plain')).toEqual({ ok: false, refusal: 'not_a_wrapper' })
})

test("a verifier's statement opens under its own key only, and only with ES256", async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { kty: 'EC', ...publicKey.export({ format: 'jwk' }) }
  const jws = (header: object, body: object): string => {
    const content = [header, body].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const tag = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${content}.${tag.toString('base64url')}`
  }
  const good = jws({ alg: 'ES256' }, { hash: 'x' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
  expect(await openStatement(platform, [{ kty: 'EC', ...other }, jwk], good)).toEqual({ hash: 'x' })
  expect(await openStatement(platform, [{ kty: 'EC', ...other }], good)).toBeNull()
  expect(await openStatement(platform, [jwk], jws({ alg: 'none' }, {}))).toBeNull()
  expect(await openStatement(platform, [jwk], jws({ alg: 'ES256', crit: ['b64'] }, {}))).toBeNull()
  expect(await openStatement(platform, [{ ...jwk, kid: 'a' }], jws({ alg: 'ES256', kid: 'b' }, {}))).toBeNull()
  expect(await openStatement(platform, [jwk], `${good}x`)).toBeNull()
  expect(await openStatement(platform, [jwk], 'a.b')).toBeNull()
})
