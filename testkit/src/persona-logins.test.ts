import { deriveLogin, openPrivateKey } from '@sealpost/vault'
import { expect, test } from 'vitest'
import { companies, persons } from './personas.ts'

const logins = [...companies, ...persons].map(({ email, login }) => [email, login] as const)

test.each(logins)('the password of %s proves itself and opens its keys', async (_, login) => {
  const { authVerifier, wrapKey } = await deriveLogin(login.password, login.kdf)
  expect(authVerifier.reveal()).toBe(login.authVerifier)
  const { keys, recoveryKeys } = login
  await expect(openPrivateKey(keys.encryptedPrivateKey, wrapKey)).resolves.toBeDefined()
  if (recoveryKeys !== null) {
    await expect(openPrivateKey(recoveryKeys.encryptedPrivateKey, wrapKey, 'recovery')).resolves.toBeDefined()
  }
})

test('share codes are of the form that the directory makes', () => {
  for (const { shareCode } of [...companies, ...persons]) expect(shareCode).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
})
