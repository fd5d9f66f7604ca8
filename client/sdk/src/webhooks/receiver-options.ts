import type { ServiceChange } from '../changes.ts'
import type { SeenDeliveries } from './seen.ts'

/** What a webhook tells: the events of the feed, and `test`, which somebody sent from the portal. */
export type WebhookEvent = ServiceChange | TestEvent

export interface TestEvent {
  readonly id: string
  readonly event: 'test'
  readonly [member: string]: unknown
}

export interface ReceiverOptions {
  /** The HMAC secret of the webhook; while one is being replaced the new one first, then the previous one. */
  readonly secrets: readonly [newest: string, previous?: string]
  /** What it resolves for is answered 200, what it throws for 500: the platform keeps the event and sends it again. */
  readonly handle: (event: WebhookEvent, delivery: Delivery) => void | Promise<void>
  /** PKCS#8 of the company's account key, for webhooks with `encrypt_payload`. */
  readonly accountKey?: Uint8Array
  /** How far `webhook-timestamp` may lie from now; 300 unless told. */
  readonly toleranceSeconds?: number
  /** Remembers what was handled; in memory unless given. */
  readonly seen?: SeenDeliveries
  /**
   * Takes deliveries that have no `webhook-signature`, on the word of `X-Platform-Signature` alone. That one carries no
   * time: whoever got hold of a delivery can send it again, and only what is remembered in `seen` keeps it out.
   */
  readonly acceptUntimed?: boolean
  /** The word in `X-<word>-Signature`, where an installation has one of its own; `Platform` unless told. */
  readonly headerVendor?: string
  /** Larger bodies are answered 413 by `fetch` and the adapters; 16 MiB unless told. */
  readonly maxBodyBytes?: number
  /** Told what was answered 400 and 500; on the console unless given. */
  readonly onError?: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly clock?: { now(): number }
}

/** What is known of a delivery beside its event. */
export interface Delivery {
  /** Which webhook sent it. */
  readonly webhookId: string | null
  /** The same whenever this event is sent again; null when nothing vouches for it. */
  readonly eventId: string | null
  /** The same whenever the same content is sent again: a key for your own tables. */
  readonly contentKey: string
}
