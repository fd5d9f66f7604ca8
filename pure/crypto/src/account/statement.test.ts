import type { webcrypto } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCryptoPlatform, openStatement, type VerifierJwk } from '../index.ts'

const platform = createCryptoPlatform(globalThis)
const subtle = globalThis.crypto.subtle
const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

let pair: webcrypto.CryptoKeyPair
let jwk: VerifierJwk
beforeAll(async () => {
  pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const { kty = '', crv = '', x = '', y = '' } = await subtle.exportKey('jwk', pair.publicKey)
  jwk = { kty, crv, x, y, kid: 'k1' }
})

async function sign(header: unknown, body: unknown): Promise<string> {
  const content = `${encoded(header)}.${encoded(body)}`
  const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, Buffer.from(content))
  return `${content}.${Buffer.from(signature).toString('base64url')}`
}

const HEADER = { alg: 'ES256', kid: 'k1' }
const BODY = { sub: 'mara', hash: 'aa' }
const open = async (header: unknown, body: unknown, keys: readonly VerifierJwk[] = [jwk]) =>
  openStatement(platform, keys, await sign(header, body))

describe('a statement', () => {
  test('is opened by the key that signed it, named or not', async () => {
    expect(await open(HEADER, BODY)).toEqual(BODY)
    expect(await open({ alg: 'ES256' }, BODY)).toEqual(BODY)
    const { kid, ...unnamed } = jwk
    expect(kid).toBe('k1')
    expect(await open(HEADER, BODY, [{ ...jwk, kty: 'RSA' }, unnamed])).toEqual(BODY)
  })

  test('is not opened by another key, or by one of another name', async () => {
    expect(await open(HEADER, BODY, [])).toBeNull()
    expect(await open({ alg: 'ES256', kid: 'k2' }, BODY)).toBeNull()
    const other = await subtle.exportKey(
      'jwk',
      (await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])).publicKey,
    )
    expect(await open(HEADER, BODY, [{ ...jwk, x: other.x ?? '', y: other.y ?? '' }])).toBeNull()
  })

  test.each<[what: string, change: (key: VerifierJwk) => VerifierJwk]>([
    ['another type', (key) => ({ ...key, kty: 'OKP' })],
    ['another curve', (key) => ({ ...key, crv: 'P-384' })],
    ['a short coordinate', (key) => ({ ...key, x: 'AA' })],
    ['a coordinate that is no base64url', (key) => ({ ...key, y: '!' })],
    ['no coordinate', ({ kty, crv = '' }) => ({ kty, crv })],
  ])('is not opened by a key of %s', async (_, change) => {
    expect(await open(HEADER, BODY, [change(jwk)])).toBeNull()
  })

  test.each<[what: string, header: unknown]>([
    ['another algorithm', { alg: 'none' }],
    ['an extension that is critical', { ...HEADER, crit: ['exp'] }],
    ['a header that is no object', 'text'],
    ['no header', ''],
  ])('is not opened with %s', async (_, header) => {
    expect(await open(header, BODY)).toBeNull()
  })

  test('is not opened when it was changed, cut off or extended', async () => {
    const jws = await sign(HEADER, BODY)
    const [head = '', , tag = ''] = jws.split('.')
    for (const text of [
      `${head}.${encoded({ ...BODY, sub: 'lara' })}.${tag}`,
      `${jws}.x`,
      `${head}.${tag}`,
      head,
      '',
      `${jws}!`,
    ])
      expect(await openStatement(platform, [jwk], text)).toBeNull()
  })

  test('has members: a signed text that is none opens to nothing', async () => {
    expect(await open(HEADER, 'no json')).toBeNull()
    expect(await open(HEADER, 'null')).toBeNull()
    expect(await open(HEADER, '7')).toBeNull()
  })
})
