import { createDecipheriv, createPrivateKey, createPublicKey, pbkdf2Sync } from 'node:crypto'
import { Secret } from '@sealpost/kernel'
import { expect, test } from 'vitest'
import { createCryptoPlatform } from '../platform.ts'
import { taken } from '../testing/taken.ts'
import { isPassphraseWrap, unwrapByPassphrase, wrapByPassphrase } from './passphrase-wrap.ts'
import { exportPrivateKeyPem, importPrivateKeyPem } from './private-key-pem.ts'
import { createServiceKey } from './service-key.ts'

const platform = createCryptoPlatform(globalThis)
const { publicKey, privateKey, passphrase, encryptedPrivateKey } = await createServiceKey(platform)

test('a service key is RSA with 2048 bits and exponent 65537 [CRYPTO-15]', () => {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' })
  expect(key.asymmetricKeyType).toBe('rsa')
  expect(key.asymmetricKeyDetails).toEqual({ modulusLength: 2048, publicExponent: 65_537n })
  const own = createPublicKey(createPrivateKey({ key: Buffer.from(privateKey.reveal()), type: 'pkcs8', format: 'der' }))
  expect(own.equals(key)).toBe(true)
})

test('the passphrase is the base64url of 32 random bytes, and is not printed', () => {
  expect(passphrase.reveal()).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(Buffer.from(passphrase.reveal(), 'base64url').length).toBe(32)
  expect(JSON.stringify({ passphrase, privateKey })).toBe('{"passphrase":"[secret]","privateKey":"[secret]"}')
})

test('the wrap object opens by PBKDF2-SHA256 with 100000 iterations and AES-256-GCM elsewhere [CRYPTO-17, CRYPTO-18]', () => {
  const { iter, salt, iv, data } = encryptedPrivateKey
  expect(Object.keys(encryptedPrivateKey)).toEqual(['iter', 'salt', 'iv', 'data'])
  expect([iter, bytes(salt).length, bytes(iv).length]).toEqual([100_000, 16, 12])
  const key = pbkdf2Sync(passphrase.reveal(), bytes(salt), iter, 32, 'sha256')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(iv))
  decipher.setAuthTag(bytes(data).subarray(-16))
  const opened = Buffer.concat([decipher.update(bytes(data).subarray(0, -16)), decipher.final()])
  expect(opened.equals(privateKey.reveal())).toBe(true)
  expect(isPassphraseWrap(platform, encryptedPrivateKey)).toBe(true)
  expect(isPassphraseWrap(platform, { ...encryptedPrivateKey, iter: 200_000 })).toBe(false)
})

test('wrap object and PEM open with the passphrase that was shown, and with no other [CRYPTO-13]', async () => {
  const pem = taken(await exportPrivateKeyPem(platform, privateKey, passphrase))
  expect(taken(await importPrivateKeyPem(platform, pem, passphrase)).reveal()).toEqual(privateKey.reveal())
  expect(taken(await unwrapByPassphrase(platform, encryptedPrivateKey, passphrase)).reveal()).toEqual(
    privateKey.reveal(),
  )
  const other = new Secret(passphrase.reveal().toLowerCase())
  expect(await importPrivateKeyPem(platform, pem, other)).toEqual({ ok: false, refusal: 'wrong_passphrase' })
  expect(await unwrapByPassphrase(platform, encryptedPrivateKey, other)).toEqual({
    ok: false,
    refusal: 'wrong_passphrase',
  })
})

test('two wraps of one key have nothing in common', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => exportPrivateKeyPem(platform, privateKey, passphrase)))
  const lines = (pem: typeof first) => (pem === undefined ? [] : taken(pem).split('\n').slice(2, -3))
  expect(lines(first).filter((line) => lines(second).includes(line))).toEqual([])
})

test('a wrap object has a salt and an IV of its own [CRYPTO-18]', async () => {
  const again = taken(await wrapByPassphrase(platform, privateKey, passphrase))
  for (const member of ['salt', 'iv', 'data'] as const) expect(again[member]).not.toBe(encryptedPrivateKey[member])
})

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64')
}
