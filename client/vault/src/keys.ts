import {
  type Bytes,
  generateKeyPair,
  type PasswordWrap,
  unwrapByPassword,
  type WrapKey,
  wrapByPassword,
  createServiceKey as createServiceKeyOn,
  type ServiceKey,
  type WrapPurpose,
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

/** `recovery`: for the second key pair of a company, which recovery copies are sealed to. */
export async function createAccountKeys(wrapKey: WrapKey, purpose: WrapPurpose = 'account'): Promise<AccountKeys> {
  const { publicKey, privateKey } = await generateKeyPair(hostPlatform())
  return { publicKey, privateKey, encryptedPrivateKey: await wrapPrivateKey(privateKey, wrapKey, purpose) }
}

/** Throws a `VaultError` with `wrong_key` for another password, and with `wrong_purpose` for the other key of the account. */
export async function openPrivateKey(
  wrapped: unknown,
  wrapKey: WrapKey,
  purpose: WrapPurpose = 'account',
): Promise<Secret<Bytes>> {
  return orThrow(await unwrapByPassword(hostPlatform(), wrapKey, wrapped, purpose))
}

export function wrapPrivateKey(
  privateKey: Secret<Bytes>,
  wrapKey: WrapKey,
  purpose: WrapPurpose,
): Promise<PasswordWrap> {
  return wrapByPassword(hostPlatform(), wrapKey, privateKey, purpose)
}

/** The key of a service or a sign-in app: two parts for the server, and the passphrase, which the caller must keep. */
export function createServiceKey(): Promise<ServiceKey> {
  return createServiceKeyOn(hostPlatform())
}
