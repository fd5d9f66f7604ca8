import { beforeAll, expect, test } from 'vitest'
import {
  type AccountKeys,
  createAccountKeys,
  deriveLogin,
  type Login,
  newKdf,
  openPrivateKey,
  passwordChangeBody,
  registrationBody,
} from './index.ts'

const kdf = newKdf({ memoryKib: 32_768, passes: 2 })
const about = { email: 'ana@example.com', displayName: 'Ana', language: 'en', region: 'eu', kdf }

let login: Login
let keys: AccountKeys
let recoveryKeys: AccountKeys

beforeAll(async () => {
  login = await deriveLogin('first password', kdf)
  keys = await createAccountKeys(login.wrapKey)
  recoveryKeys = await createAccountKeys(login.wrapKey, 'recovery')
})

test('a person registers with one key pair, a company also with a recovery key pair', () => {
  const person = registrationBody({ ...about, userType: 'person', login, keys })
  expect(person).toEqual({
    user_type: 'person',
    email: 'ana@example.com',
    display_name: 'Ana',
    language: 'en',
    region: 'eu',
    auth_verifier: login.authVerifier.reveal(),
    kdf,
    public_key: keys.publicKey,
    encrypted_private_key: keys.encryptedPrivateKey,
  })
  const company = registrationBody({ ...about, userType: 'company', login, keys, recoveryKeys })
  expect(company).toEqual({
    ...person,
    user_type: 'company',
    recovery_public_key: recoveryKeys.publicKey,
    encrypted_recovery_key: recoveryKeys.encryptedPrivateKey,
  })
})

test('a body contains no private key and no password', () => {
  const text = JSON.stringify(registrationBody({ ...about, userType: 'company', login, keys, recoveryKeys }))
  const secrets = [keys, recoveryKeys].map(({ privateKey }) => Buffer.from(privateKey.reveal()).toString('base64'))
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(text).not.toContain('first password')
})

test('a password change wraps the same keys again', async () => {
  const nextKdf = newKdf({ memoryKib: 32_768, passes: 2 })
  const next = await deriveLogin('second password', nextKdf)
  const body = await passwordChangeBody({
    current: login,
    next,
    kdf: nextKdf,
    encryptedPrivateKey: keys.encryptedPrivateKey,
    encryptedRecoveryKey: recoveryKeys.encryptedPrivateKey,
  })
  expect(body).toMatchObject({ current_auth_verifier: login.authVerifier.reveal(), kdf: nextKdf })
  expect(body.auth_verifier).not.toBe(body.current_auth_verifier)
  const opened = await openPrivateKey(body.encrypted_private_key, next.wrapKey)
  expect(opened.reveal()).toEqual(keys.privateKey.reveal())
  const recovery = await openPrivateKey(body.encrypted_recovery_key, next.wrapKey, 'recovery')
  expect(recovery.reveal()).toEqual(recoveryKeys.privateKey.reveal())
  await expect(openPrivateKey(body.encrypted_private_key, login.wrapKey)).rejects.toMatchObject({
    refusal: 'wrong_key',
  })
})

test('a wrong current password gives no body', async () => {
  const current = await deriveLogin('not the first', kdf)
  const change = { current, next: login, kdf, encryptedPrivateKey: keys.encryptedPrivateKey }
  await expect(passwordChangeBody(change)).rejects.toMatchObject({ refusal: 'wrong_key' })
})

test('exchanged wraps of account and recovery key give no body', async () => {
  const exchanged = {
    encryptedPrivateKey: recoveryKeys.encryptedPrivateKey,
    encryptedRecoveryKey: keys.encryptedPrivateKey,
  }
  const change = passwordChangeBody({ current: login, next: login, kdf, ...exchanged })
  await expect(change).rejects.toMatchObject({ refusal: 'wrong_purpose' })
})
