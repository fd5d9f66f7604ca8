import {
  type Bytes,
  createCryptoPlatform,
  generateWebhookSecret,
  importWebhookSecret,
  signWebhook,
  type WebhookKey,
} from '@sealpost/crypto'
import type { Clock, Secret } from '@sealpost/kernel'
import { CliError } from '../terminal.ts'

const platform = createCryptoPlatform(globalThis)

/** The webhook id that receivers see; no real webhook has it. */
const WEBHOOK_ID = '00000000-0000-7000-8000-000000000000'

/** How events are signed: as the platform does for a webhook of auth_type `hmac`. */
export interface Signing {
  readonly key: WebhookKey
  /** `HEADER_VENDOR` of the installation; `Platform` by default. */
  readonly vendor: string
  readonly clock: Clock
}

export interface Signed {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Bytes
}

export interface SignableEvent {
  readonly id: string
  readonly event: string
}

export function newSecret(): Secret<string> {
  return generateWebhookSecret(platform)
}

export async function importSecret(secret: Secret<string>): Promise<WebhookKey> {
  const key = await importWebhookSecret(platform, secret)
  if (key.ok) return key.value
  throw new CliError('the secret is empty or not valid text')
}

/** Body and headers of one delivery. The signature covers the time of the attempt, so every retry is signed again. */
export async function signEvent({ key, vendor, clock }: Signing, event: SignableEvent): Promise<Signed> {
  const body = Uint8Array.from(Buffer.from(JSON.stringify(event)))
  const timestampSeconds = Math.floor(clock.now() / 1000)
  const signatures = await signWebhook(platform, [key], { id: event.id, timestampSeconds, body })
  return {
    body,
    headers: {
      'User-Agent': 'Platform-Webhooks/1',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(body.length),
      [`X-${vendor}-Event`]: event.event,
      [`X-${vendor}-Webhook-Id`]: WEBHOOK_ID,
      [`X-${vendor}-Signature`]: signatures.platform,
      'webhook-id': event.id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signatures.standard,
    },
  }
}
