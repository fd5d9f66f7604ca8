import { importWebhookSecret, signWebhook } from '@sealpost/crypto'
import { Secret } from '@sealpost/kernel'
import { hostPlatform } from '../src/keys/host.ts'

export const SECRET = 'whsec_ENhuDri+wDol8qDCLJ7zju0e2BQFYjGa5iOJUGExQ0Q='
export const OTHER_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
/** Unix seconds. */
export const SIGNED_AT = 1_777_627_800
export const CLOCK = { now: (): number => SIGNED_AT * 1000 }

export interface SignedDelivery {
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

export interface SigningOptions {
  /** Newest first. */
  readonly secrets?: readonly string[]
  /** `webhook-id` */
  readonly eventId?: string
  readonly at?: number
}

/** A delivery as the platform sends it. */
export async function signDelivery(
  content: Readonly<Record<string, unknown>> | string,
  { secrets = [SECRET], eventId = 'event-1', at = SIGNED_AT }: SigningOptions = {},
): Promise<SignedDelivery> {
  const platform = hostPlatform()
  const body = new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))
  const [newest, ...earlier] = await Promise.all(secrets.map(importKey))
  if (newest === undefined) throw new Error('no secret')
  const signed = await signWebhook(platform, [newest, ...earlier], {
    id: eventId,
    timestampSeconds: at,
    body,
  })
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-platform-webhook-id': 'webhook-1',
      'x-platform-signature': signed.platform,
      'webhook-id': eventId,
      'webhook-timestamp': String(at),
      'webhook-signature': signed.standard,
    },
  }
}

async function importKey(secret: string) {
  const key = await importWebhookSecret(hostPlatform(), new Secret(secret))
  if (!key.ok) throw new Error(key.refusal)
  return key.value
}
