import { fingerprintPublicKey, importSealingKey, sealWrapper, type SealingKey } from '@sealpost/crypto'
import { hostPlatform } from './host.ts'
import { orThrow } from './or-throw.ts'

/** Seals texts to one public key: base64 of a DER SubjectPublicKeyInfo. */
export class PublicKey {
  readonly #key: SealingKey

  private constructor(key: SealingKey) {
    this.#key = key
  }

  static async import(publicKey: string): Promise<PublicKey> {
    return new PublicKey(orThrow(await importSealingKey(hostPlatform(), publicKey)))
  }

  /** The wrapper's text. */
  async seal(text: string): Promise<string> {
    return orThrow(await sealWrapper(hostPlatform(), this.#key, text))
  }
}

/** Lower-case hex of the SHA-256 of the DER, as `public_key_sha256` on the wire. */
export async function fingerprintOf(publicKey: string): Promise<string> {
  return orThrow(await fingerprintPublicKey(hostPlatform(), publicKey))
}
