import type { Secret } from '@sealpost/kernel'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes } from '../web-crypto.ts'
import { generateKeyPair } from './key-pair.ts'
import { type PassphraseWrap, wrapByPassphrase } from './passphrase-wrap.ts'
import { generatePassphrase } from './passphrase.ts'

/** The first two go to the server; the passphrase is shown once and stays with the caller. */
export interface ServiceKey {
  readonly publicKey: string
  readonly encryptedPrivateKey: PassphraseWrap
  readonly passphrase: Secret<string>
  readonly privateKey: Secret<Bytes>
}

export async function createServiceKey(platform: CryptoPlatform): Promise<ServiceKey> {
  const { publicKey, privateKey } = await generateKeyPair(platform)
  const passphrase = generatePassphrase(platform)
  const wrapped = await wrapByPassphrase(platform, privateKey, passphrase)
  if (!wrapped.ok) throw new Error('a generated passphrase is not text: the platform provides a broken base64')
  return { publicKey, privateKey, passphrase, encryptedPrivateKey: wrapped.value }
}
