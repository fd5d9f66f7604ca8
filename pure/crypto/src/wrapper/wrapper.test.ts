import {
  constants,
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto'
import { expect, test } from 'vitest'
import { importAccountOpeningKey } from '../account-envelope.ts'
import { generateKeyPair } from '../keys/key-pair.ts'
import { createCryptoPlatform } from '../platform.ts'
import { taken } from '../testing/taken.ts'
import { importOpeningKey, importSealingKey, type OpeningKey } from './keys.ts'
import { openWrapper } from './open.ts'
import { sealWrapper } from './seal.ts'
import { isWrapper, wrapperObjectText } from './shape.ts'

const platform = createCryptoPlatform(globalThis)
const pair = await generateKeyPair(platform)
const sealing = taken(await importSealingKey(platform, pair.publicKey))
const opening = taken(await importOpeningKey(platform, pair.privateKey))
const publicKey = createPublicKey({ key: Buffer.from(pair.publicKey, 'base64'), type: 'spki', format: 'der' })
const privateKey = createPrivateKey({ key: Buffer.from(pair.privateKey.reveal()), type: 'pkcs8', format: 'der' })

interface Members {
  readonly _enc: number
  readonly k: string
  readonly iv: string
  readonly d: string
}

async function sealed(text: string): Promise<Members> {
  return JSON.parse(taken(await sealWrapper(platform, sealing, text)))
}

/** A wrapper by another implementation, with a chosen data key and hash. */
function sealedElsewhere(text: string, { oaepHash = 'sha256', dataKey = Buffer.alloc(32, 5) } = {}): string {
  const iv = Buffer.alloc(12, 9)
  const cipher = createCipheriv(`aes-${dataKey.length * 8}-gcm` as 'aes-256-gcm', dataKey, iv)
  const d = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const k = publicEncrypt({ key: publicKey, oaepHash, padding: constants.RSA_PKCS1_OAEP_PADDING }, dataKey)
  return JSON.stringify({ _enc: 1, k: k.toString('base64'), iv: iv.toString('base64'), d: d.toString('base64') })
}

test('a wrapper has exactly _enc, k, iv and d, and _enc is the number 1 [CRYPTO-01]', async () => {
  const wrapper = await sealed('Ada')
  expect(Object.keys(wrapper)).toEqual(['_enc', 'k', 'iv', 'd'])
  expect(wrapper._enc).toBe(1)
  for (const changed of [
    { ...wrapper, extra: 1 },
    { ...wrapper, _enc: '1' },
    { ...wrapper, _enc: 2 },
  ])
    expect(await openWrapper(platform, opening, JSON.stringify(changed))).toEqual({
      ok: false,
      refusal: 'not_a_wrapper',
    })
})

test('k holds 32 bytes under OAEP with SHA-256 in both places [CRYPTO-02, CRYPTO-05]', async () => {
  const { k } = await sealed('Ada')
  const oaep = { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }
  expect(privateDecrypt({ ...oaep, oaepHash: 'sha256' }, Buffer.from(k, 'base64')).length).toBe(32)
  expect(() => privateDecrypt({ ...oaep, oaepHash: 'sha1' }, Buffer.from(k, 'base64'))).toThrow('oaep')
})

test('the IV has 12 bytes, is new for every value, and the tag follows the ciphertext [CRYPTO-03, CRYPTO-04]', async () => {
  const wrappers = await Promise.all(Array.from({ length: 50 }, () => sealed('Ada')))
  expect(wrappers.every(({ iv }) => Buffer.from(iv, 'base64').length === 12)).toBe(true)
  expect(wrappers.every(({ d }) => Buffer.from(d, 'base64').length === 3 + 16)).toBe(true)
  expect(new Set(wrappers.map(({ iv }) => iv)).size).toBe(50)
  expect(new Set(wrappers.map(({ k }) => k)).size).toBe(50)
})

test('opening never falls back to SHA-1, nor to a shorter data key [CRYPTO-05]', async () => {
  const open = (text: string) => openWrapper(platform, opening, text)
  expect(await open(sealedElsewhere('Ada'))).toEqual({ ok: true, value: 'Ada' })
  expect(await open(sealedElsewhere('Ada', { oaepHash: 'sha1' }))).toEqual({ ok: false, refusal: 'wrong_key' })
  expect(await open(sealedElsewhere('Ada', { dataKey: Buffer.alloc(16) }))).toEqual({ ok: false, refusal: 'damaged' })
})

test('a SHA-1 key that bypasses the types opens nothing [CRYPTO-05]', async () => {
  const weak = taken(await importAccountOpeningKey(platform, pair.privateKey))
  const disguised = { take: () => weak } as unknown as OpeningKey
  const opened = await openWrapper(platform, disguised, sealedElsewhere('Ada', { oaepHash: 'sha1' }))
  expect(opened).toEqual({ ok: false, refusal: 'wrong_key' })
})

test('a sealed text is opened unchanged, JSON included [CRYPTO-06]', async () => {
  for (const text of ['', 'Ada', '{"b": 1,  "a":[ ]}', '"quoted"', '\uFEFFmark', 'Grüße 👋\u0000'])
    expect(await openWrapper(platform, opening, taken(await sealWrapper(platform, sealing, text)))).toEqual({
      ok: true,
      value: text,
    })
})

test('a wrapper is a text, ready to be embedded in other JSON; an object is refused [CRYPTO-07]', async () => {
  const text = taken(await sealWrapper(platform, sealing, 'Ada'))
  const event: { value: string } = JSON.parse(JSON.stringify({ value: text }))
  expect(await openWrapper(platform, opening, event.value)).toEqual({ ok: true, value: 'Ada' })
  expect(isWrapper(platform, text)).toBe(true)
  expect(isWrapper(platform, JSON.parse(text))).toBe(false)
  const { d, ...others } = JSON.parse(text) as Record<string, unknown>
  expect(wrapperObjectText(platform, { d, ...others })).toBe(text)
  expect(wrapperObjectText(platform, { d, ...others, more: 1 })).toBeNull()
  expect(wrapperObjectText(platform, text)).toBeNull()
})

test('a text that has no UTF-8 is refused instead of being sealed changed', async () => {
  expect(await sealWrapper(platform, sealing, 'half \ud83d')).toEqual({ ok: false, refusal: 'not_text' })
})

test('imported keys cannot be exported again', () => {
  expect(sealing.extractable).toBe(false)
  expect(opening.take().extractable).toBe(false)
})

test('values opened at the same time do not wait for one lock: copies of the key take turns', async () => {
  const copies = new Set(Array.from({ length: 8 }, () => opening.take()))
  expect(copies.size).toBe(4)
})

test('a key that is not RSA-2048 is refused at import', async () => {
  expect(await importSealingKey(platform, 'AAAA')).toEqual({ ok: false, refusal: 'not_a_public_key' })
  const half = { reveal: () => pair.privateKey.reveal().subarray(0, 600) } as typeof pair.privateKey
  expect(await importOpeningKey(platform, half)).toEqual({ ok: false, refusal: 'not_a_private_key' })
})
