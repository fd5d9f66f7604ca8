import { derivePasswordMaster, passwordKeysOf, readRecoveryCode, writeRecoveryCode } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { argon2id } from './argon2.ts'
import { hostPlatform } from './host.ts'
import type { Login } from './login.ts'
import { orThrow } from './vault-error.ts'

export interface RecoverableLogin {
  readonly login: Login
  /** Replaces the password; to be written down. A change of the password ends it. */
  readonly recoveryCode: Secret<string>
}

/** As `deriveLogin`, with the code that replaces the password. */
export async function deriveRecoverableLogin(
  password: string | Secret<string>,
  kdf: unknown,
): Promise<RecoverableLogin> {
  const secret = typeof password === 'string' ? new Secret(password) : password
  const platform = hostPlatform()
  const master = orThrow(await derivePasswordMaster(platform, argon2id, secret, kdf))
  const recoveryCode = await writeRecoveryCode(platform, master)
  return { login: await passwordKeysOf(platform, master), recoveryCode }
}

/** The login of a person who has forgotten the password. */
export async function loginByRecoveryCode(code: string): Promise<Login> {
  const platform = hostPlatform()
  return passwordKeysOf(platform, orThrow(await readRecoveryCode(platform, new Secret(code))))
}
