import type { Instant, Secret } from '@sealpost/kernel'
import type { WebhookName } from '../../feed/index.ts'

export type EndpointAuth =
  | {
      readonly type: 'hmac'
      readonly secret: Secret<string>
      /** Newest first; each signs too until it expires. */
      readonly earlier: readonly { readonly secret: Secret<string>; readonly validUntil: Instant }[]
    }
  | { readonly type: 'bearer'; readonly token: Secret<string> }
  | { readonly type: 'basic'; readonly username: Secret<string>; readonly password: Secret<string> }
  | { readonly type: 'header'; readonly name: Secret<string>; readonly value: Secret<string> }
  | { readonly type: 'none' }

/** The `last_error` of a webhook that cannot be sent to: it says what the company can do, and nothing about our keys. */
export const UNREADABLE = 'its secrets cannot be opened; set them again'

/** The settings of a webhook that sending needs. */
export interface Endpoint {
  readonly name: WebhookName
  readonly url: string
  readonly format: 'json' | 'xml'
  /** The whole body is sealed to the company's account key. */
  readonly isEncrypted: boolean
  /** Loaded for encrypted endpoints only. */
  readonly accountKey: string | null
  /** Null when the secrets cannot be opened: nothing can be sent. */
  readonly auth: EndpointAuth | null
}

/** Why a delivery failed; a fixed list, because it labels metrics and the log of deliveries. */
export const ERROR_CLASSES = [
  /** Answered with another status than 200. */
  'status',
  /** The egress policy refuses the target, or the header cannot be sent. */
  'refused',
  'dns',
  'connect',
  'tls',
  'timeout',
  'protocol',
  /** One of the four above, at a port where the cause is not shown. */
  'no_answer',
  /** The configuration of the webhook does not allow sending. */
  'config',
  /** Aborted by the worker. */
  'aborted',
  /** A fault of this platform. */
  'internal',
] as const
export type ErrorClass = (typeof ERROR_CLASSES)[number]

/** The result of one POST. */
export interface Attempt {
  readonly isDelivered: boolean
  readonly httpStatus: number | null
  readonly errorClass: ErrorClass | null
  /** One sentence for people, without any text of the receiver; null when delivered. */
  readonly error: string | null
  /** The thrown error, for the operator's log. */
  readonly cause?: unknown
}
