import { createKdfParameters, derivePasswordKeys, type KdfParameters, type PasswordKeys } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { argon2id } from './argon2.ts'
import { hostPlatform } from './host.ts'
import { orThrow } from './vault-error.ts'

/** `authVerifier` proves the password to the server; `wrapKey` stays on the device and opens the private keys. */
export type Login = PasswordKeys

export interface KdfCost {
  /** At least 32768. */
  readonly memoryKib: number
  /** At least 2. */
  readonly passes: number
}

/** Parameters for a new password: the default cost, unless a smaller device or a test needs less. */
export function newKdf(cost?: KdfCost): KdfParameters {
  const defaults = createKdfParameters(hostPlatform())
  return cost === undefined ? defaults : { ...defaults, memory_kib: cost.memoryKib, passes: cost.passes }
}

/**
 * Derives the login from a password. `kdf` is the server's answer: weak or excessive parameters are refused before the
 * password is used, because a malicious server could choose them to guess it.
 */
export async function deriveLogin(password: string | Secret<string>, kdf: unknown): Promise<Login> {
  const secret = typeof password === 'string' ? new Secret(password) : password
  return orThrow(await derivePasswordKeys(hostPlatform(), argon2id, secret, kdf))
}
