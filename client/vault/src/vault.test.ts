import { argon2Sync, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto'
import { createCryptoPlatform, unwrapByPassphrase } from '@sealpost/crypto'
import { expect, test } from 'vitest'
import { argon2id } from './argon2.ts'
import { createAccountKeys, createServiceKey, deriveLogin, newKdf, openPrivateKey, VaultError } from './index.ts'

const CHEAP = { memoryKib: 32_768, passes: 2 }

test.each([
  [65_536, '09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7'],
  [256, '9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe'],
])('Argon2id with %i KiB gives the tag of the reference tests', async (memoryKib, tag) => {
  const [password, salt] = [new TextEncoder().encode('password'), new TextEncoder().encode('somesalt')]
  const given = await argon2id({ password, salt, memoryKib, passes: 2, lanes: 1, outputBytes: 32 })
  expect(Buffer.from(given).toString('hex')).toBe(tag)
})

test.each([
  { name: 'the smallest allowed cost', kdf: newKdf(CHEAP) },
  { name: 'the default cost', kdf: newKdf() },
  { name: 'several lanes', kdf: { ...newKdf(CHEAP), lanes: 4 } },
])("a password gives the same keys as Node's Argon2 and HKDF: $name", async ({ kdf }) => {
  const master = argon2Sync('argon2id', {
    message: Buffer.from('correct horse'),
    nonce: Buffer.from(kdf.salt, 'base64'),
    memory: kdf.memory_kib,
    passes: kdf.passes,
    parallelism: kdf.lanes,
    tagLength: 32,
  })
  const { authVerifier, wrapKey } = await deriveLogin('correct horse', kdf)
  expect(authVerifier.reveal()).toBe(Buffer.from(hkdfSync('sha256', master, '', 'auth', 32)).toString('base64'))
  // The last byte says that the key is the account's.
  const iv = Buffer.alloc(12)
  iv[11] = 1
  const raw = await crypto.subtle.importKey('raw', hkdfSync('sha256', master, '', 'wrap', 32), 'AES-GCM', false, [
    'encrypt',
  ])
  const data = Buffer.from(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, raw, Buffer.from('pkcs8')))
  const wrapped = { iv: iv.toString('base64'), data: data.toString('base64') }
  const opened = await openPrivateKey(wrapped, wrapKey)
  expect(Buffer.from(opened.reveal()).toString()).toBe('pkcs8')
})

test('the same letters typed on two keyboards are the same password', async () => {
  const kdf = newKdf(CHEAP)
  const composed = await deriveLogin('Ångström ﬁne', kdf)
  const decomposed = await deriveLogin('A\u030angstro\u0308m fine', kdf)
  expect(decomposed.authVerifier.reveal()).toBe(composed.authVerifier.reveal())
})

test.each([
  [{ alg: 'argon2i' }, 'kdf_invalid'],
  [{ alg: 'pbkdf2' }, 'kdf_invalid'],
  [{ memory_kib: 32_767 }, 'too_weak'],
  [{ passes: 1 }, 'too_weak'],
  [{ memory_kib: 2 ** 24 }, 'too_costly'],
  [{ salt: 'c2hvcnQ=' }, 'kdf_invalid'],
])('parameters with %o are refused as %s, with a message', async (change, refusal) => {
  const error = await deriveLogin('x', { ...newKdf(), ...change }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(VaultError)
  expect(error).toMatchObject({ refusal, message: expect.stringMatching(/\.$/) })
})

test('a private key opens with its own password only', async () => {
  const kdf = newKdf(CHEAP)
  const { wrapKey } = await deriveLogin('right', kdf)
  const { publicKey, privateKey, encryptedPrivateKey } = await createAccountKeys(wrapKey)
  const opened = await openPrivateKey(encryptedPrivateKey, wrapKey)
  expect(opened.reveal()).toEqual(privateKey.reveal())
  const key = createPrivateKey({ key: Buffer.from(opened.reveal()), format: 'der', type: 'pkcs8' })
  expect(createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')).toBe(publicKey)
  const wrong = await deriveLogin('wrong', kdf)
  await expect(openPrivateKey(encryptedPrivateKey, wrong.wrapKey)).rejects.toMatchObject({ refusal: 'wrong_key' })
  await expect(openPrivateKey(encryptedPrivateKey, wrapKey, 'recovery')).rejects.toMatchObject({
    refusal: 'wrong_purpose',
  })
  const relabelled = Buffer.from(encryptedPrivateKey.iv, 'base64')
  relabelled[11] = 2
  const forged = { ...encryptedPrivateKey, iv: relabelled.toString('base64') }
  await expect(openPrivateKey(forged, wrapKey, 'recovery')).rejects.toMatchObject({ refusal: 'wrong_key' })
  await expect(openPrivateKey({ iv: 'x' }, wrapKey)).rejects.toMatchObject({ refusal: 'not_a_key_wrap' })
})

test('what is no wrapped key, or no list of parameters, is refused before it is used', async () => {
  const { wrapKey } = await deriveLogin('right', newKdf(CHEAP))
  const { encryptedPrivateKey } = await createAccountKeys(wrapKey)
  for (const wrapped of ['x', null, [], { ...encryptedPrivateKey, data: 'A'.repeat(5_000_000) }])
    await expect(openPrivateKey(wrapped, wrapKey)).rejects.toMatchObject({ refusal: 'not_a_key_wrap' })
  for (const kdf of [[1, 2, 3], 'argon2id', null])
    await expect(deriveLogin('x', kdf)).rejects.toMatchObject({ refusal: 'kdf_invalid' })
})

test('a service key opens with its passphrase', async () => {
  const { passphrase, privateKey, encryptedPrivateKey } = await createServiceKey()
  const opened = await unwrapByPassphrase(createCryptoPlatform(globalThis), encryptedPrivateKey, passphrase)
  expect(opened).toMatchObject({ ok: true })
  expect(opened.ok && opened.value.reveal()).toEqual(privateKey.reveal())
})
