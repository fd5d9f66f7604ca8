import {
  type Bytes,
  generateKeyPair,
  type PasswordWrap,
  unwrapByPassword,
  type WrapKey,
  wrapByPassword,
} from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'
import { hostPlatform } from './host.ts'
import { orThrow } from './vault-error.ts'

/** A key pair of a user or an account. The server gets the first two members. */
export interface AccountKeys {
  /** base64 of the DER SubjectPublicKeyInfo. */
  readonly publicKey: string
  readonly encryptedPrivateKey: PasswordWrap
  /** PKCS#8. */
  readonly privateKey: Secret<Bytes>
}

export async function createAccountKeys(wrapKey: WrapKey): Promise<AccountKeys> {
  const { publicKey, privateKey } = await generateKeyPair(hostPlatform())
  return { publicKey, privateKey, encryptedPrivateKey: await wrapPrivateKey(privateKey, wrapKey) }
}

/** Throws a `VaultError` with `wrong_key` for another password. */
export async function openPrivateKey(wrapped: unknown, wrapKey: WrapKey): Promise<Secret<Bytes>> {
  return orThrow(await unwrapByPassword(hostPlatform(), wrapKey, wrapped))
}

export function wrapPrivateKey(privateKey: Secret<Bytes>, wrapKey: WrapKey): Promise<PasswordWrap> {
  return wrapByPassword(hostPlatform(), wrapKey, privateKey)
}
