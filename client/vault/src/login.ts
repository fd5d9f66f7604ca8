import { createKdfParameters, derivePasswordKeys, type KdfParameters, type PasswordKeys } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { argon2id } from './argon2.ts'
import { hostPlatform } from './host.ts'
import { orThrow } from './vault-error.ts'

/** `authVerifier` goes to the server and proves the password; `wrapKey` stays here and opens the private keys. */
export type Login = PasswordKeys

export interface KdfCost {
  /** At least 32768. */
  readonly memoryKib: number
  /** At least 2. */
  readonly passes: number
}

/** Parameters for a new password: the agreed cost, unless a smaller device or a test needs less. */
export function newKdf(cost?: KdfCost): KdfParameters {
  const agreed = createKdfParameters(hostPlatform())
  return cost === undefined ? agreed : { ...agreed, memory_kib: cost.memoryKib, passes: cost.passes }
}

/**
 * What a password gives. `kdf` is what the server answered: weak or absurd parameters are refused before the password is
 * used, because a false server could choose them to guess it.
 */
export async function deriveLogin(password: string | Secret<string>, kdf: unknown): Promise<Login> {
  const secret = typeof password === 'string' ? new Secret(password) : password
  return orThrow(await derivePasswordKeys(hostPlatform(), argon2id, secret, kdf))
}
