import type { ServiceChange } from '../changes.ts'
import type { AccountKeyFile } from '../keys/private-keys.ts'
import type { SeenDeliveries } from './seen.ts'

/** The events of a webhook: those of the feed, and `test`, which a user can send from the portal. */
export type WebhookEvent = ServiceChange | TestEvent

export interface TestEvent {
  readonly id: string
  readonly event: 'test'
  readonly [member: string]: unknown
}

export interface ReceiverOptions {
  /** The HMAC secret of the webhook; while one is being replaced the new one first, then the previous one. */
  readonly secrets: readonly [newest: string, previous?: string]
  /** When it resolves, the answer is 200; when it throws, 500, and the platform sends the event again. */
  readonly handle: (event: WebhookEvent, delivery: Delivery) => void | Promise<void>
  /** The company's account key for webhooks with `encrypt_payload`: its encrypted file with the passphrase, or PKCS#8. */
  readonly accountKey?: Uint8Array | AccountKeyFile
  /** The allowed distance of `webhook-timestamp` from now; 300 by default. */
  readonly toleranceSeconds?: number
  /** Stores which deliveries were handled; in memory by default. */
  readonly seen?: SeenDeliveries
  /**
   * Accepts deliveries without `webhook-signature` if `X-Platform-Signature` is valid. That signature has no timestamp: a
   * captured delivery can be replayed, and only `seen` detects it.
   */
  readonly acceptUntimed?: boolean
  /** The word in `X-<word>-Signature`, a setting of the installation; `Platform` by default. */
  readonly headerVendor?: string
  /** Larger bodies are answered 413 by `fetch` and the adapters; 16 MiB by default. */
  readonly maxBodyBytes?: number
  /** Receives the errors of 400 and 500 answers; prints them to the console by default. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly clock?: { now(): number }
}

/** The metadata of a delivery. */
export interface Delivery {
  /** The id of the webhook. */
  readonly webhookId: string | null
  /** The same for every delivery of this event; null when no signature covers it. */
  readonly eventId: string | null
  /** The same for every delivery of the same content: a key for your own tables. */
  readonly contentKey: string
}
