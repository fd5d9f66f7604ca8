import { formatInstant, instant } from '@sealpost/kernel'
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { readStatement, signedStatement } from './signed-statement.ts'
import type { VerifierKey } from './verifiers.ts'

const NOW = instant(Date.UTC(2026, 0, 1))
const ISSUER = 'https://id.example'
const verification = { id: 'a', challenge: 'the challenge', fieldType: 'passport' }
const right = {
  iss: ISSUER,
  verification_id: 'a',
  challenge: 'the challenge',
  field_type: 'passport',
  hash: 'a'.repeat(64),
  salt: 'b'.repeat(32),
  verified_at: formatInstant(NOW),
  expires_at: formatInstant(instant(NOW + 1)),
}
const at = (ms: number): string => formatInstant(instant(NOW + ms))

test('a statement about this verification counts', () => {
  const { hash, salt } = right
  const read = (change: object) => readStatement({ ...right, ...change }, ISSUER, verification, NOW)
  expect(read({})).toEqual({ hash, salt, verifiedAt: NOW, expiresAt: NOW + 1 })
  expect(read({ expires_at: null })).toMatchObject({ expiresAt: null })
  expect(read({ verified_at: at(30_000), expires_at: null })).toMatchObject({ verifiedAt: NOW + 30_000 })
})

test.each([
  ['another issuer', { iss: 'https://other.example' }],
  ['another verification', { verification_id: 'b' }],
  ['another challenge', { challenge: 'another' }],
  ['no challenge', { challenge: null }],
  ['another type', { field_type: 'photo_id' }],
  ['no hash', { hash: 'A'.repeat(64) }],
  ['no salt', { salt: 'b'.repeat(31) }],
  ['a time to come', { verified_at: at(61_000), expires_at: null }],
  ['no time', { verified_at: 1_767_225_600 }],
  ['an end that has come', { expires_at: at(0) }],
  ['an end that cannot be read', { expires_at: 'soon' }],
  ['an end of another kind', { expires_at: 1_798_761_600 }],
  ['an end before it began', { verified_at: at(50_000), expires_at: at(40_000) }],
])('one of %s does not', (_, change) => {
  expect(readStatement({ ...right, ...change }, ISSUER, verification, NOW)).toBeNull()
})

describe('a provider that changes its key has two for a while', () => {
  interface Pair {
    readonly own: CryptoKey
    readonly shown: VerifierKey
  }
  let old: Pair
  let fresh: Pair

  beforeAll(async () => {
    ;[old, fresh] = [await newPair('old'), await newPair('fresh')]
  })

  async function newPair(kid: string): Promise<Pair> {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const { x = '', y = '' } = await exportJWK(publicKey)
    return { own: privateKey, shown: { kty: 'EC', crv: 'P-256', x, y, kid } }
  }

  async function proves(keys: readonly VerifierKey[], by: CryptoKey, kid?: string): Promise<boolean> {
    const header = { alg: 'ES256', ...(kid === undefined ? {} : { kid }) }
    const statement = await new CompactSign(Buffer.from(JSON.stringify(right))).setProtectedHeader(header).sign(by)
    const needs = { clock: { now: () => NOW }, random: { bytes: (size: number) => new Uint8Array(size) } }
    const provider = signedStatement(needs, { name: 'id', method: 'id_document', issuer: ISSUER, keys })
    const asked = { ...verification } as unknown as Parameters<typeof provider.prove>[0]
    return (await provider.prove(asked, { statement }, NOW)) !== null
  }

  test('and a statement of either counts, whether it says which key it is or not', async () => {
    const keys = [old.shown, fresh.shown]
    for (const pair of [old, fresh]) {
      expect(await proves(keys, pair.own)).toBe(true)
      expect(await proves(keys, pair.own, pair.shown.kid)).toBe(true)
    }
    const { kid: _, ...nameless } = fresh.shown
    expect(await proves([old.shown, nameless], fresh.own, 'fresh')).toBe(true)
  })

  test('but none of a key that is not there, or that is said to be another', async () => {
    expect(await proves([old.shown], fresh.own)).toBe(false)
    expect(await proves([old.shown, fresh.shown], fresh.own, 'old')).toBe(false)
    expect(await proves([old.shown, fresh.shown], (await newPair('old')).own, 'old')).toBe(false)
  })
})
