import { createAccountKeys, deriveLogin, type Login, newKdf } from '@sealpost/vault'
import { beforeAll, expect, test } from 'vitest'
import { EMAIL, openKit } from '../testing/session-kit.ts'
import { openWithLogin } from './open-account.ts'

type Wrapped = Awaited<ReturnType<typeof createAccountKeys>>['encryptedPrivateKey']

let login: Login
let honest: Wrapped

beforeAll(async () => {
  login = await deriveLogin('a good phrase', newKdf({ memoryKib: 32_768, passes: 2 }))
  honest = (await createAccountKeys(login.wrapKey)).encryptedPrivateKey
})

/** Signs in on a device whose platform answers this as the own key. */
async function openedWith(wrapped: unknown): Promise<unknown> {
  const { context } = await openKit({ keys: { encrypted_private_key: wrapped } })
  context.open = null
  await openWithLogin(context, login, null)
  return context.open
}

/** The last byte of the IV says what the key is for. */
function marked({ iv, data }: Wrapped, purpose: number): Wrapped {
  return { iv: btoa(atob(iv).slice(0, 11) + String.fromCharCode(purpose)), data }
}

test('a login opens the account with the key that the platform keeps', async () => {
  expect(await openedWith(honest)).toMatchObject({ email: EMAIL })
})

test('a login opens nothing with what is no own key, and says why', async () => {
  const recovery = (await createAccountKeys(login.wrapKey, 'recovery')).encryptedPrivateKey
  const refusals = [
    [recovery, 'wrong_purpose'],
    [marked(honest, 2), 'wrong_purpose'],
    [marked(recovery, 1), 'wrong_key'],
    ['x', 'not_a_key_wrap'],
    [{ ...honest, data: 'A'.repeat(5_000_000) }, 'not_a_key_wrap'],
  ] as const
  for (const [wrapped, refusal] of refusals)
    await expect(openedWith(wrapped)).rejects.toMatchObject({ name: 'VaultError', refusal })
})
