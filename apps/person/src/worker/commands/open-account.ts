import type { Bytes } from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'
import { AccountKey, CustomerClient, type KeyPins } from '@sealpost/sdk'
import { type Login, openPrivateKey } from '@sealpost/vault'
import type { OpenAccount, PersonContext } from '../context.ts'
import { followHints } from '../follow-hints.ts'
import { ownSealing } from '../own-sealing.ts'
import { startOutbox } from '../start-outbox.ts'
import { closeAccount } from './lock.ts'

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
  const own = await ownSealing(key)
  const outbox = startOutbox(context, {
    client,
    own,
    store: context.store.messagesOf(accountId),
    signal: ending.signal,
  })
  const names = { accountId, email, displayName, publicKey: key.publicKey }
  context.open = { ...names, client, privateKey, own, outbox, ending, isReproven: false, ...about }
  void followHints(context, client, ending.signal, () => {
    // Another device has ended it, or removed this one: nothing that is opened stays on the screen.
    closeAccount(context)
    context.changed('session')
  })
  context.changed('session', 'data', 'connections', 'devices', 'papers', 'messages', 'approvals', 'flows')
  return context.open
}

function pinsOfCaller({ store }: PersonContext, me: () => Promise<{ readonly id: string }>): KeyPins {
  const pins = async (): Promise<KeyPins> => store.pinsOf((await me()).id)
  return {
    get: async (name) => (await pins()).get(name),
    set: async (name, value) => (await pins()).set(name, value),
  }
}
