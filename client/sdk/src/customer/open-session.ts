import { call } from '../call.ts'
import type { Caller } from '../caller.ts'
import { streamsOf } from '../files/read-stream.ts'
import type { KeyPins } from '../keys/pins.ts'
import type { AccountKey } from '../keys/private-keys.ts'
import { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { readAccount } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ReadAccountAnswer } from '../shapes.generated.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
import { RegistryCache } from '../values/registry.ts'
import type { CustomerSession, UserType } from './session.ts'

/** The key of the account, or a function that returns it when it is first needed. */
export type KeySource = AccountKey | (() => Promise<AccountKey>) | undefined

/** What the device itself knows about the account. */
export interface OwnAccount {
  readonly userType: UserType
  readonly key: KeySource
}

export function openSession(caller: Caller, pins: KeyPins, { userType, key: source }: OwnAccount): CustomerSession {
  const send: Send = (route, input, options) => call(caller, route, input, options)
  const registry = new RegistryCache(caller)
  const openKey = openedOnce(source)
  let account: Promise<ReadAccountAnswer> | null = null
  const me = (options?: CallOptions): Promise<ReadAccountAnswer> => {
    account ??= readMe(send, userType, options).catch((error: unknown) => {
      account = null
      throw error
    })
    return account
  }
  return {
    userType,
    pins,
    now: caller.wire.now,
    readStream: streamsOf(caller),
    send,
    types: (options) => registry.read(options),
    me,
    async own(options) {
      const { publicKey } = (await openKey()) ?? missingKey()
      const { id, public_key: shown } = await me(options)
      if (shown !== publicKey) throw new UntrustedAnswerError('own_key', `account ${id}`)
      return PublicKey.import(publicKey)
    },
    key: async () => (await openKey()) ?? missingKey(),
    findKey: openKey,
  }
}

async function readMe(send: Send, userType: UserType, options?: CallOptions): Promise<ReadAccountAnswer> {
  const answer = await send(readAccount, {}, options)
  if (answer.user_type === userType) return answer
  const told = `told ${userType}; a client of a company is given userType: 'company'`
  throw new UntrustedAnswerError('account_type', `account ${answer.id}, ${told}`)
}

/** Calls the source once; after a failure the next use calls it again. */
function openedOnce(source: KeySource): () => Promise<AccountKey | null> {
  let opened: Promise<AccountKey> | null = null
  return async () => {
    if (source === undefined) return null
    if (typeof source !== 'function') return source
    opened ??= source().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
}

function missingKey(): never {
  throw new TypeError('this needs the private key of the account: give it as `key` to the constructor of the client')
}
