import { CompactSign, type CryptoKey, exportJWK, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import type { VerifierKey } from '../../../../platform/verifiers.ts'
import { ISSUER, NOW, STATEMENT, VERIFICATION } from '../testing/statement.ts'
import { signedStatement } from './signed-statement.ts'

describe('a provider with two keys', () => {
  interface Pair {
    readonly privateKey: CryptoKey
    readonly publicKey: VerifierKey
  }
  let old: Pair
  let fresh: Pair

  beforeAll(async () => {
    ;[old, fresh] = [await newPair('old'), await newPair('fresh')]
  })

  async function newPair(kid: string): Promise<Pair> {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const { x = '', y = '' } = await exportJWK(publicKey)
    return { privateKey, publicKey: { kty: 'EC', crv: 'P-256', x, y, kid } }
  }

  async function proves(keys: readonly VerifierKey[], by: CryptoKey, kid?: string): Promise<boolean> {
    const header = { alg: 'ES256', ...(kid === undefined ? {} : { kid }) }
    const statement = await new CompactSign(Buffer.from(JSON.stringify(STATEMENT))).setProtectedHeader(header).sign(by)
    const platform = { clock: { now: () => NOW }, random: { bytes: (size: number) => new Uint8Array(size) } }
    const provider = signedStatement(platform, { name: 'id', method: 'id_document', issuer: ISSUER, keys })
    const asked = { ...VERIFICATION } as unknown as Parameters<typeof provider.prove>[0]
    return (await provider.prove(asked, { statement }, NOW)) !== null
  }

  test('signs with either, with or without a key id', async () => {
    const keys = [old.publicKey, fresh.publicKey]
    for (const pair of [old, fresh]) {
      expect(await proves(keys, pair.privateKey)).toBe(true)
      expect(await proves(keys, pair.privateKey, pair.publicKey.kid)).toBe(true)
    }
    const { kid: _, ...nameless } = fresh.publicKey
    expect(await proves([old.publicKey, nameless], fresh.privateKey, 'fresh')).toBe(true)
  })

  test('cannot sign with an unknown key or under another key id', async () => {
    expect(await proves([old.publicKey], fresh.privateKey)).toBe(false)
    expect(await proves([old.publicKey, fresh.publicKey], fresh.privateKey, 'old')).toBe(false)
    expect(await proves([old.publicKey, fresh.publicKey], (await newPair('old')).privateKey, 'old')).toBe(false)
  })
})
