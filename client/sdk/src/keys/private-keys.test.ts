import { createPrivateKey } from 'node:crypto'
import { inspect } from 'node:util'
import { createServiceKey, generateKeyPair, type refusalSentences } from '@sealpost/crypto'
import { expect, expectTypeOf, test } from 'vitest'
import { AccountKey, SealingError, type SealingRefusal, ServiceKey } from '../index.ts'
import { hostPlatform } from './host.ts'
import { accountPemOf, pemOf } from './private-keys.ts'
import { PublicKey } from './public-key.ts'

test('the key opens from the wrap and from the exported file, under the same or another passphrase', async () => {
  const { publicKey, encryptedPrivateKey, passphrase } = await createServiceKey(hostPlatform())
  const sealed = await (await PublicKey.import(publicKey)).seal('a value')
  const fromWrap = await ServiceKey.fromWrap(encryptedPrivateKey, passphrase.reveal())
  expect(await fromWrap.open(sealed)).toBe('a value')
  expect(await fromWrap.open(JSON.parse(sealed))).toBe('a value')

  const same = await pemOf(encryptedPrivateKey, passphrase.reveal(), passphrase.reveal())
  expect(await (await ServiceKey.fromPem(same, passphrase.reveal())).open(sealed)).toBe('a value')
  const other = await pemOf(encryptedPrivateKey, passphrase.reveal(), 'a phrase of my own')
  expect(await (await ServiceKey.fromPem(other, 'a phrase of my own')).open(sealed)).toBe('a value')
  expect(createPrivateKey({ key: other, passphrase: 'a phrase of my own' }).asymmetricKeyType).toBe('rsa')
})

test('the key of an account is exported when its owner unwraps it, and opens from the file', async () => {
  const { publicKey, privateKey } = await generateKeyPair(hostPlatform())
  const wrapped = { iv: 'iv', data: 'data' }
  const pem = await accountPemOf(
    wrapped,
    (given) => (expect(given).toBe(wrapped), Promise.resolve(privateKey)),
    'a phrase',
  )
  expect(createPrivateKey({ key: pem, passphrase: 'a phrase' }).asymmetricKeyType).toBe('rsa')
  expect((await AccountKey.fromPem(pem, 'a phrase')).publicKey).toBe(publicKey)
  const refused = accountPemOf(wrapped, () => Promise.reject(new Error('wrong password')), 'a phrase')
  await expect(refused).rejects.toThrow('wrong password')
})

test('a wrong passphrase, an invalid file and a damaged wrap are different refusals', async () => {
  const { encryptedPrivateKey, passphrase } = await createServiceKey(hostPlatform())
  const refusalOf = (made: Promise<unknown>): Promise<unknown> =>
    made.then(
      () => 'opened',
      (error: unknown) => (error instanceof SealingError ? error.refusal : error),
    )
  expect(await refusalOf(ServiceKey.fromWrap(encryptedPrivateKey, 'wrong'))).toBe('wrong_passphrase')
  expect(await refusalOf(ServiceKey.fromPem('-----BEGIN', passphrase.reveal()))).toBe('not_a_key_file')
  const damaged = { ...encryptedPrivateKey, iv: 'AA' }
  expect(await refusalOf(ServiceKey.fromWrap(damaged, passphrase.reveal()))).toBe('not_a_key_wrap')
  const weak = { ...encryptedPrivateKey, iter: 1000 }
  expect(await refusalOf(ServiceKey.fromWrap(weak, passphrase.reveal()))).toBe('too_weak')
  // All of them are refusals of the crypto package.
  expectTypeOf<SealingRefusal>().toExtend<keyof typeof refusalSentences>()
})

test('a printed key contains neither key nor passphrase', async () => {
  const { encryptedPrivateKey, passphrase } = await createServiceKey(hostPlatform())
  const key = await ServiceKey.fromWrap(encryptedPrivateKey, passphrase.reveal())
  const printed = `${inspect(key, { depth: 9, showHidden: true })}${JSON.stringify(key)}`
  expect(printed).not.toContain(passphrase.reveal())
  expect(printed.length).toBeLessThan(200)
})
