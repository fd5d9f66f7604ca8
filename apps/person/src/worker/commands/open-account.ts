import type { Bytes } from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'
import { AccountKey, CustomerClient, type KeyPins } from '@sealpost/sdk'
import { type Login, openPrivateKey } from '@sealpost/vault'
import type { OpenAccount, PersonContext } from '../context.ts'
import { followHints } from '../follow-hints.ts'

/** After a login: the private key comes from the platform, wrapped by the password. */
export async function openWithLogin(
  context: PersonContext,
  login: Login,
  recoveryCode: Secret<string> | null,
): Promise<OpenAccount> {
  return openAccount(context, { login, recoveryCode }, async (client) => {
    const { encrypted_private_key: wrapped } = await client.readKeys()
    return openPrivateKey(wrapped, login.wrapKey)
  })
}

/** After an unlock: the private key was on this device. */
export async function openWithKey(context: PersonContext, privateKey: Secret<Bytes>): Promise<OpenAccount> {
  return openAccount(context, { login: null, recoveryCode: null }, () => Promise.resolve(privateKey))
}

/** One client from the first call on: each would ask for a token of its own. */
async function openAccount(
  context: PersonContext,
  about: Pick<OpenAccount, 'login' | 'recoveryCode'>,
  findKey: (client: CustomerClient) => Promise<Secret<Bytes>>,
): Promise<OpenAccount> {
  const { promise: opening, resolve } = Promise.withResolvers<AccountKey>()
  const client: CustomerClient = new CustomerClient({
    accessToken: context.access.accessToken,
    pins: pinsOfCaller(context, () => client.me()),
    key: () => opening,
  })
  const privateKey = await findKey(client)
  const key = await AccountKey.fromPkcs8(privateKey.reveal())
  const { id: accountId, email, display_name: displayName } = await client.me()
  resolve(key)
  context.open?.ending.abort()
  const ending = new AbortController()
  context.open = { accountId, email, displayName, client, privateKey, publicKey: key.publicKey, ending, ...about }
  void followHints(context, client, ending.signal)
  context.changed('session', 'data', 'connections', 'devices', 'papers', 'messages', 'approvals')
  return context.open
}

function pinsOfCaller({ store }: PersonContext, me: () => Promise<{ readonly id: string }>): KeyPins {
  const pins = async (): Promise<KeyPins> => store.pinsOf((await me()).id)
  return {
    get: async (name) => (await pins()).get(name),
    set: async (name, value) => (await pins()).set(name, value),
  }
}
