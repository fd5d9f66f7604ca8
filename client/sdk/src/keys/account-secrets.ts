import { type AccountSecrets, type Bytes, deriveAccountSecrets } from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'
import { hostPlatform } from './host.ts'
import { orThrow } from './or-throw.ts'

/** Kept apart from the keys, so that a printed key shows nothing. */
const sources = new WeakMap<object, () => Promise<AccountSecrets>>()

/** They are derived when they are first needed: that takes a fraction of a second. */
export function keepSecrets(key: object, pkcs8: Secret<Bytes>): void {
  let derived: Promise<AccountSecrets> | null = null
  sources.set(key, () => (derived ??= deriveAccountSecrets(hostPlatform(), pkcs8).then((result) => orThrow(result))))
}

/** The keys that authenticate the account's records and sign its values. */
export async function secretsOf(key: object): Promise<AccountSecrets> {
  const derive = sources.get(key)
  if (derive === undefined) throw new TypeError('this AccountKey was not made by AccountKey.fromPkcs8')
  return derive()
}
