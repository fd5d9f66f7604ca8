import {
  type Bytes,
  derivePublicKey,
  exportPrivateKeyPem,
  importOpeningKey,
  importPrivateKeyPem,
  openWrapper,
  unwrapByPassphrase,
} from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import type { SecretSource } from '../options.ts'
import { readSource } from '../secret-source.ts'
import { keepSecrets } from './account-secrets.ts'
import { hostPlatform } from './host.ts'
import { orThrow } from './or-throw.ts'
import { fingerprintOf } from './public-key.ts'

/** `encrypted_private_key` of a service. */
export interface WrappedPrivateKey {
  readonly iter: number
  readonly salt: string
  readonly iv: string
  readonly data: string
}

/** A sealed value as the wire has it: the text of the wrapper, in a few places the object. */
export type SealedValue = string | Readonly<Record<string, unknown>>

interface Opened {
  /** base64 of a DER SubjectPublicKeyInfo, computed from the private key. */
  readonly publicKey: string
  readonly fingerprint: string
  readonly open: (text: string) => Promise<string>
}

/** Opens values that were sealed to the public key; the private key cannot be exported. */
abstract class OpensWrappers {
  readonly #opened: Opened

  protected constructor(opened: Opened) {
    this.#opened = opened
  }

  /** The public key that belongs to it. */
  get publicKey(): string {
    return this.#opened.publicKey
  }

  /** Lower-case hex of the SHA-256 of the public key, to compare with another device or a colleague. */
  get fingerprint(): string {
    return this.#opened.fingerprint
  }

  /** The exact text that was sealed, always by RSA-OAEP with SHA-256. Throws a `SealingError`. */
  async open(sealed: SealedValue): Promise<string> {
    return this.#opened.open(typeof sealed === 'string' ? sealed : JSON.stringify(sealed))
  }
}

/** The private key of a service. Create it once when your program starts: opening the file is slow by design. */
export class ServiceKey extends OpensWrappers {
  /** From the encrypted `.pem` of the service and the passphrase from its creation. */
  static async fromPem(pem: SecretSource, passphrase: SecretSource): Promise<ServiceKey> {
    return new ServiceKey(await openKey(await importPem(pem, passphrase)))
  }

  /** From `encrypted_private_key` as the platform stores it. */
  static async fromWrap(wrap: WrappedPrivateKey, passphrase: string): Promise<ServiceKey> {
    return new ServiceKey(await openKey(await unwrap(wrap, passphrase)))
  }
}

/** The private key of a customer's account: opens the customer's own copies, and signs what the customer shares. */
export class AccountKey extends OpensWrappers {
  /** `pkcs8`: the private key as an app unwraps it with the password. */
  static async fromPkcs8(pkcs8: Uint8Array): Promise<AccountKey> {
    return AccountKey.#of(new Secret(Uint8Array.from(pkcs8)))
  }

  /** From the file that `exportAccountPem` of an `AccountClient` made. */
  static async fromPem(pem: SecretSource, passphrase: SecretSource): Promise<AccountKey> {
    return AccountKey.#of(await importPem(pem, passphrase))
  }

  static async #of(pkcs8: Secret<Bytes>): Promise<AccountKey> {
    const key = new AccountKey(await openKey(pkcs8))
    keepSecrets(key, pkcs8)
    return key
  }
}

async function importPem(pem: SecretSource, passphrase: SecretSource): Promise<Secret<Bytes>> {
  const text = typeof pem === 'string' ? pem : (await readSource('the key file', pem)).reveal()
  const phrase = typeof passphrase === 'string' ? new Secret(passphrase) : await readSource('passphrase', passphrase)
  return orThrow(await importPrivateKeyPem(hostPlatform(), text, phrase))
}

/** The private key of an account as an encrypted file, and its passphrase. */
export interface AccountKeyFile {
  readonly pem: string
  readonly passphrase: string
}

/** The private key of an account under the password, as the platform stores it. */
export interface WrappedAccountKey {
  readonly iv: string
  readonly data: string
}

/** Unwraps it with the password: `openAccountKey` of `logIn` in `@sealpost/sdk/login`. Answers PKCS#8. */
export type OpenAccountKey = (wrapped: WrappedAccountKey) => Promise<{ reveal(): Uint8Array }>

export async function accountPemOf(
  wrapped: WrappedAccountKey,
  open: OpenAccountKey,
  passphrase: string,
): Promise<string> {
  const pkcs8 = new Secret(Uint8Array.from((await open(wrapped)).reveal()))
  return orThrow(await exportPrivateKeyPem(hostPlatform(), pkcs8, new Secret(passphrase)))
}

/** The key file under the same passphrase or another one; the platform has no passphrase, so it is made on this side. */
export async function pemOf(wrap: WrappedPrivateKey, passphrase: string, newPassphrase: string): Promise<string> {
  const pkcs8 = await unwrap(wrap, passphrase)
  return orThrow(await exportPrivateKeyPem(hostPlatform(), pkcs8, new Secret(newPassphrase)))
}

async function unwrap(wrap: WrappedPrivateKey, passphrase: string): Promise<Secret<Bytes>> {
  return orThrow(await unwrapByPassphrase(hostPlatform(), wrap, new Secret(passphrase)))
}

async function openKey(pkcs8: Secret<Bytes>): Promise<Opened> {
  const key = orThrow(await importOpeningKey(hostPlatform(), pkcs8))
  const publicKey = orThrow(derivePublicKey(hostPlatform(), pkcs8))
  return {
    publicKey,
    fingerprint: await fingerprintOf(publicKey),
    open: async (text) => orThrow(await openWrapper(hostPlatform(), key, text)),
  }
}
