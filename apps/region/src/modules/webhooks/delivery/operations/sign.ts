import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type CryptoPlatform, readWebhookSecret } from '@sealpost/crypto'
import type { Secret } from '@sealpost/kernel'

/** One secret, imported for both schemes. */
export interface SigningKey {
  readonly platform: KeyObject
  readonly standard: KeyObject
}

/** Null for a secret that cannot sign. */
export function signingKey(platform: CryptoPlatform, secret: Secret<string>): SigningKey | null {
  const read = readWebhookSecret(platform, secret)
  if (!read.ok) return null
  return { platform: createSecretKey(read.value.platform), standard: createSecretKey(read.value.standard) }
}

export interface Signed {
  /** `webhook-id` */
  readonly id: string
  readonly timestampSeconds: number
  /** Exactly the sent bytes. */
  readonly body: Uint8Array
}

/**
 * The same signatures as `signWebhook` of the crypto package, computed synchronously: WebCrypto moves every HMAC to another
 * thread and back, which for a body of a kilobyte costs several times the work itself.
 */
export function signDelivery(
  keys: readonly [newest: SigningKey, ...earlier: SigningKey[]],
  { id, timestampSeconds, body }: Signed,
): { readonly platform: string; readonly standard: string } {
  const prefix = `${id}.${timestampSeconds}.`
  return {
    platform: createHmac('sha256', keys[0].platform).update(body).digest('hex'),
    standard: keys.map(({ standard }) => `v1,${mac(standard, prefix, body)}`).join(' '),
  }
}

function mac(key: KeyObject, prefix: string, body: Uint8Array): string {
  return createHmac('sha256', key).update(prefix).update(body).digest('base64')
}
