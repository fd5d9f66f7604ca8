import { constants, createPublicKey, verify } from 'node:crypto'
import type { KeyRollover } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { createCryptoPlatform } from '../platform.ts'
import { generateKeyPair, type KeyPair } from './key-pair.ts'
import { isVouchedKey, signKeyRollover } from './key-rollover.ts'
import { fingerprintPublicKey } from './rsa-public-key.ts'

const platform = createCryptoPlatform(globalThis)
const pairs = await Promise.all(Array.from({ length: 4 }, () => generateKeyPair(platform)))
const [a, b, c, stranger] = pairs as [KeyPair, KeyPair, KeyPair, KeyPair]

async function rollover(from: KeyPair, to: KeyPair): Promise<KeyRollover> {
  const signed = await signKeyRollover(platform, from.privateKey, to.publicKey)
  if (!signed.ok) throw new Error(signed.refusal)
  return signed.value
}

const [ab, bc, strangerC] = [await rollover(a, b), await rollover(b, c), await rollover(stranger, c)]
const isVouched = (known: KeyPair, offered: KeyPair, rollovers: readonly KeyRollover[]) =>
  isVouchedKey(platform, known.publicKey, offered.publicKey, rollovers)

test('the former key signs the two fingerprints by RSASSA-PSS with SHA-256 and a salt of 32 bytes', async () => {
  const prints = await Promise.all([a, b].map(async (pair) => fingerprintPublicKey(platform, pair.publicKey)))
  const content = `sealpost-plugin-key:${prints.map((print) => (print.ok ? print.value : '')).join('')}`
  const key = createPublicKey({ key: Buffer.from(a.publicKey, 'base64'), format: 'der', type: 'spki' })
  const padding = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  expect(verify('sha256', Buffer.from(content), padding, Buffer.from(ab.signature, 'base64'))).toBe(true)
  expect(ab).toMatchObject({ previous_sha256: prints[0]?.ok === true && prints[0].value, public_key: b.publicKey })
})

test('a chain leads from the known key to the offered one; entries before the known key are ignored', async () => {
  expect(await isVouched(a, b, [ab])).toBe(true)
  expect(await isVouched(a, c, [ab, bc])).toBe(true)
  expect(await isVouched(b, c, [{ ...ab, signature: '' }, bc])).toBe(true)
})

test.each<[string, KeyPair, KeyPair, readonly KeyRollover[]]>([
  ['without an entry', a, b, []],
  ['that does not begin at the known key', a, c, [bc]],
  ['that ends at another key', a, b, [ab, bc]],
  ['back to the former key', b, a, [ab]],
  ['with a gap', a, c, [ab, strangerC]],
  ['signed by another key', a, c, [{ ...strangerC, previous_sha256: ab.previous_sha256 }]],
  ['with the signature of another step', a, c, [{ ...ab, public_key: c.publicKey }]],
  ['with a signature that is no base64', a, b, [{ ...ab, signature: '%' }]],
  ['with a key that is none', a, c, [{ ...ab, public_key: 'bm8ga2V5' }, bc]],
  ['of seventeen entries', a, b, [...Array.from({ length: 16 }, () => bc), ab]],
])('no chain %s', async (_, known, offered, rollovers) => {
  expect(await isVouched(known, offered, rollovers)).toBe(false)
})

test('a text that is no public key is not signed', async () => {
  expect(await signKeyRollover(platform, a.privateKey, 'bm8ga2V5')).toEqual({ ok: false, refusal: 'not_a_public_key' })
})
