import { call } from '../call.ts'
import type { Caller } from '../caller.ts'
import { streamsOf } from '../files/read-stream.ts'
import { type KeyPins, pinKey } from '../keys/pins.ts'
import type { AccountKey } from '../keys/private-keys.ts'
import { PublicKey } from '../keys/public-key.ts'
import type { CallOptions } from '../options.ts'
import { readAccount } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { ReadAccountAnswer } from '../shapes.generated.ts'
import { RegistryCache } from '../values/registry.ts'
import type { CustomerSession } from './session.ts'

/** The key of the account, or a function that returns it when it is first needed. */
export type KeySource = AccountKey | (() => Promise<AccountKey>) | undefined

export function openSession(caller: Caller, pins: KeyPins, source: KeySource): CustomerSession {
  const send: Send = (route, input, options) => call(caller, route, input, options)
  const registry = new RegistryCache(caller)
  let account: Promise<ReadAccountAnswer> | null = null
  const pinned = async (owner: string, publicKey: string): Promise<PublicKey> => {
    await pinKey(pins, owner, publicKey)
    return PublicKey.import(publicKey)
  }
  const me = (options?: CallOptions): Promise<ReadAccountAnswer> => {
    account ??= send(readAccount, {}, options).catch((error: unknown) => {
      account = null
      throw error
    })
    return account
  }
  return {
    readStream: streamsOf(caller),
    send,
    types: (options) => registry.read(options),
    me,
    async own(options) {
      const { id, public_key: publicKey } = await me(options)
      if (publicKey === null) throw new TypeError('the account has no key pair yet: log in to an app first')
      return pinned(`account:${id}`, publicKey)
    },
    service: (serviceId, publicKey) => pinned(`service:${serviceId}`, publicKey),
    key: openedOnce(source),
  }
}

/** Calls the source once; after a failure the next use calls it again. */
function openedOnce(source: KeySource): () => Promise<AccountKey> {
  let opened: Promise<AccountKey> | null = null
  return async () => {
    if (source === undefined) return missingKey()
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
