import {
  type Bytes,
  exportPrivateKeyPem,
  importOpeningKey,
  importPrivateKeyPem,
  openWrapper,
  unwrapByPassphrase,
} from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { hostPlatform } from './host.ts'
import { orThrow } from './or-throw.ts'

/** `encrypted_private_key` of a service. */
export interface WrappedPrivateKey {
  readonly iter: number
  readonly salt: string
  readonly iv: string
  readonly data: string
}

/** A sealed value as the wire has it: the text of the wrapper, in a few places the object. */
export type SealedValue = string | Readonly<Record<string, unknown>>

/** Opens values that were sealed to the public key; the private key cannot be exported. */
abstract class OpensWrappers {
  readonly #open: (text: string) => Promise<string>

  protected constructor(open: (text: string) => Promise<string>) {
    this.#open = open
  }

  /** The exact text that was sealed, always by RSA-OAEP with SHA-256. Throws a `SealingError`. */
  async open(sealed: SealedValue): Promise<string> {
    return this.#open(typeof sealed === 'string' ? sealed : JSON.stringify(sealed))
  }
}

/** The private key of a service. Create it once when your program starts: opening the file is slow by design. */
export class ServiceKey extends OpensWrappers {
  /** From the encrypted `.pem` of the service and the passphrase from its creation. */
  static async fromPem(pem: string, passphrase: string): Promise<ServiceKey> {
    const pkcs8 = orThrow(await importPrivateKeyPem(hostPlatform(), pem, new Secret(passphrase)))
    return new ServiceKey(await opener(pkcs8))
  }

  /** From `encrypted_private_key` as the platform stores it. */
  static async fromWrap(wrap: WrappedPrivateKey, passphrase: string): Promise<ServiceKey> {
    return new ServiceKey(await opener(await unwrap(wrap, passphrase)))
  }
}

/** The private key of a customer's account, which opens the customer's own copies of values. */
export class AccountKey extends OpensWrappers {
  /** `pkcs8`: the private key as an app unwraps it with the password. */
  static async fromPkcs8(pkcs8: Uint8Array): Promise<AccountKey> {
    return new AccountKey(await opener(new Secret(Uint8Array.from(pkcs8))))
  }
}

/** The key file under the same passphrase or another one; the platform has no passphrase, so it is made on this side. */
export async function pemOf(wrap: WrappedPrivateKey, passphrase: string, newPassphrase: string): Promise<string> {
  const pkcs8 = await unwrap(wrap, passphrase)
  return orThrow(await exportPrivateKeyPem(hostPlatform(), pkcs8, new Secret(newPassphrase)))
}

async function unwrap(wrap: WrappedPrivateKey, passphrase: string): Promise<Secret<Bytes>> {
  return orThrow(await unwrapByPassphrase(hostPlatform(), wrap, new Secret(passphrase)))
}

async function opener(pkcs8: Secret<Bytes>): Promise<(text: string) => Promise<string>> {
  const key = orThrow(await importOpeningKey(hostPlatform(), pkcs8))
  return async (text) => orThrow(await openWrapper(hostPlatform(), key, text))
}
