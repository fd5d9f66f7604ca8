import type { Bytes } from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'
import { AccountKey } from '@sealpost/sdk'
import { type Login, openPrivateKey } from '@sealpost/vault'
import type { OpenAccount, SessionClient, SessionContext } from '../context.ts'

/** After a login: the private key comes from the platform, wrapped by the password. */
export async function openWithLogin(
  context: SessionContext,
  login: Login,
  recoveryCode: Secret<string> | null,
): Promise<OpenAccount> {
  return openAccount(context, { login, recoveryCode }, async (client) => {
    const { encrypted_private_key: wrapped } = await client.readKeys()
    return openPrivateKey(wrapped, login.wrapKey)
  })
}

/** After an unlock: the private key was on this device. */
export async function openWithKey(context: SessionContext, privateKey: Secret<Bytes>): Promise<OpenAccount> {
  return openAccount(context, { login: null, recoveryCode: null }, () => Promise.resolve(privateKey))
}

/** One client from the first call on: each would ask for a token of its own. */
async function openAccount(
  context: SessionContext,
  about: Pick<OpenAccount, 'login' | 'recoveryCode'>,
  findKey: (client: SessionClient) => Promise<Secret<Bytes>>,
): Promise<OpenAccount> {
  const { promise: opening, resolve } = Promise.withResolvers<AccountKey>()
  const client = context.openClient({
    accessToken: context.access.accessToken,
    pins: (me) => context.store.pinsOf(async () => (await me()).id),
    key: () => opening,
  })
  const privateKey = await findKey(client)
  const key = await AccountKey.fromPkcs8(privateKey.reveal())
  const { id: accountId, email, display_name: displayName } = await client.me()
  resolve(key)
  context.open?.ending.abort()
  const ending = new AbortController()
  const names = { accountId, email, displayName, publicKey: key.publicKey }
  context.open = await context.complete({ ...names, client, privateKey, ending, isReproven: false, ...about }, key)
  context.changed(...context.topics)
  return context.open
}
