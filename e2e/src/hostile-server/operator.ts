import { generateKeyPairSync } from 'node:crypto'
import {
  createCryptoPlatform,
  fingerprintPublicKey,
  generateKeyPair,
  importOpeningKey,
  openWrapper,
} from '@sealpost/crypto'
import { PublicKey } from '@sealpost/sdk'

/** An operator that wants to read, forge or exchange; it has a key pair of its own. */
export interface Operator {
  readonly publicKey: string
  /** Of the public key, as `public_key_sha256`. */
  readonly fingerprint: string
  /** Null when the wrapper is not sealed to the operator. */
  open(wrapper: string): Promise<string | null>
  seal(publicKey: string, text: string): Promise<string>
}

const platform = createCryptoPlatform(globalThis)

export async function openOperator(): Promise<Operator> {
  const { publicKey, privateKey } = await generateKeyPair(platform)
  const key = await importOpeningKey(platform, privateKey)
  const fingerprint = await fingerprintPublicKey(platform, publicKey)
  if (!key.ok || !fingerprint.ok) throw new Error('the key of the operator cannot be used')
  return {
    publicKey,
    fingerprint: fingerprint.value,
    async open(wrapper) {
      const opened = await openWrapper(platform, key.value, wrapper)
      return opened.ok ? opened.value : null
    },
    seal: async (to, text) => (await PublicKey.import(to)).seal(text),
  }
}

/** base64 SPKI of a key that is too short. */
export function weakPublicKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
}
