import { encodeHex } from '../codecs/hex.ts'
import { joinBytes } from '../codecs/join-bytes.ts'
import type { CryptoPlatform } from '../platform.ts'
import type { Bytes, WebCryptoKey } from '../web-crypto.ts'
import type { WebhookKey } from './secret.ts'

export interface WebhookDelivery {
  /** `webhook-id` */
  readonly id: string
  /** `webhook-timestamp`: Unix seconds of this attempt. */
  readonly timestampSeconds: number
  /** Exactly the bytes that are sent. */
  readonly body: Bytes
}

export interface WebhookSignatures {
  /** `X-Platform-Signature`: the newest key only. */
  readonly platform: string
  /** `webhook-signature`: during a rotation one per key, newest first. */
  readonly standard: string
}

export async function signWebhook(
  platform: CryptoPlatform,
  keys: readonly [newest: WebhookKey, ...earlier: WebhookKey[]],
  delivery: WebhookDelivery,
): Promise<WebhookSignatures> {
  const content = standardContent(platform, delivery.id, String(delivery.timestampSeconds), delivery.body)
  const macs = await Promise.all(keys.map((key) => computeMac(platform, key.standard, content)))
  return {
    platform: encodeHex(await computeMac(platform, keys[0].platform, delivery.body)),
    standard: macs.map((mac) => `v1,${platform.base64.encode(mac)}`).join(' '),
  }
}

export async function computeMac({ crypto }: CryptoPlatform, key: WebCryptoKey, content: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
}

/** A lone surrogate cannot be sent in an HTTP header; it is never signed, so it never verifies. */
export function standardContent({ utf8 }: CryptoPlatform, id: string, timestamp: string, body: Bytes): Bytes {
  return joinBytes([utf8.encode(`${id}.${timestamp}.`) ?? new Uint8Array(), body])
}
