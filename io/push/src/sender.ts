import { encryptNotification } from '@block65/webcrypto-web-push'
import { describeFailure, type Egress, type EgressFailure } from '@sealpost/egress'
import { type Clock, SettingsError } from '@sealpost/kernel'
import type { PushSettings } from './settings.ts'
import { readVapidKey, vapidHeader } from './vapid.ts'

/** A subscription as the browser made it. */
export interface PushTarget {
  readonly endpoint: string
  /** The uncompressed point of the browser's key. */
  readonly p256dh: Uint8Array
  readonly auth: Uint8Array
}

export interface PushMessage {
  readonly text: string
  /** For how long the push service keeps it for a device that is away. */
  readonly ttlSeconds: number
  readonly urgency: 'normal' | 'high'
  /** At most 32 characters of base64url. A later message of the same topic replaces one that was not delivered. */
  readonly topic: string
}

export type PushOutcome =
  | { readonly kind: 'accepted' }
  /** The subscription has ended. */
  | { readonly kind: 'gone' }
  /** Another attempt would not help. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterSeconds: number | null }

export interface PushSender {
  /** base64url, for `pushManager.subscribe`. */
  readonly publicKey: string
  send(target: PushTarget, message: PushMessage, signal?: AbortSignal): Promise<PushOutcome>
}

export interface PushOptions {
  /** For addresses that customers chose: they must not reach our own machines. */
  readonly egress: Egress
  readonly clock: Clock
}

const CONNECT_MS = 5000
const TOTAL_MS = 10_000
const MAX_RESPONSE_BYTES = 65_536
const GONE = [404, 410]
const RETRIED = [408, 425, 429]
const LONGEST_RETRY_AFTER_SECONDS = 3600

/** Null without a key. */
export function openPush({ VAPID_KEY, VAPID_SUBJECT }: PushSettings, options: PushOptions): PushSender | null {
  if (VAPID_KEY.reveal() === '') return null
  if (VAPID_SUBJECT === '') throw new SettingsError(['VAPID_SUBJECT: is required with VAPID_KEY'])
  const key = readVapidKey(VAPID_KEY.reveal())
  return {
    publicKey: key.publicKey,
    async send(target, message, signal) {
      const url = new URL(target.endpoint)
      const answered = await options.egress.send({
        method: 'POST',
        url: url.href,
        headers: {
          authorization: await vapidHeader(key, VAPID_SUBJECT, url, options.clock),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(message.ttlSeconds),
          urgency: message.urgency,
          topic: message.topic,
        },
        body: await seal(target, message.text),
        connectTimeoutMs: CONNECT_MS,
        totalTimeoutMs: TOTAL_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
        ...(signal === undefined ? {} : { signal }),
      })
      if (!answered.ok) return failureOf(answered.refusal)
      return outcomeOf(answered.value.status, answered.value.headers['retry-after'])
    },
  }
}

/** The body of RFC 8291, padded by the library to the largest size that every push service takes. */
async function seal({ endpoint, p256dh, auth }: PushTarget, text: string): Promise<Uint8Array> {
  const keys = { p256dh: Buffer.from(p256dh).toString('base64url'), auth: Buffer.from(auth).toString('base64url') }
  return encryptNotification({ endpoint, expirationTime: null, keys }, new TextEncoder().encode(text))
}

/** An address that egress refuses stays refused. */
function failureOf(failure: EgressFailure): PushOutcome {
  const reason = describeFailure(failure)
  return failure.kind === 'refused' ? { kind: 'refused', reason } : { kind: 'failed', reason, retryAfterSeconds: null }
}

export function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  if (GONE.includes(status)) return { kind: 'gone' }
  const reason = `status ${status}`
  if (status < 500 && !RETRIED.includes(status)) return { kind: 'refused', reason }
  const seconds = retryAfter !== undefined && /^[0-9]{1,9}$/.test(retryAfter) ? Number(retryAfter) : null
  return {
    kind: 'failed',
    reason,
    retryAfterSeconds: seconds === null ? null : Math.min(seconds, LONGEST_RETRY_AFTER_SECONDS),
  }
}
