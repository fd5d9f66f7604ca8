import type { Instant, Secret, ServiceId, UserId, WebhookId } from '@sealpost/kernel'
import type {
  DeliveryKind,
  ServiceEventKind,
  SubscribableEventKind,
  WebhookAuthType,
  WebhookFormat,
} from '@sealpost/protocol'
import type { QueueState, WebhookName } from '../feed/index.ts'

/** The settings of a webhook that its company chooses. */
export interface EndpointConfig {
  readonly url: string
  /** Empty: all kinds. */
  readonly events: readonly SubscribableEventKind[]
  readonly format: WebhookFormat
  readonly authType: WebhookAuthType
  readonly encryptPayload: boolean
  readonly isEnabled: boolean
}

/** The members that are stored sealed and masked in every answer. */
export const SECRET_NAMES = [
  'hmac_secret',
  'auth_token',
  'auth_username',
  'auth_password',
  'auth_header_name',
  'auth_header_value',
] as const
export type SecretName = (typeof SECRET_NAMES)[number]

export type SecretValues = Readonly<Record<SecretName, Secret<string> | null>>

export interface EarlierSecret {
  readonly secret: Secret<string>
  readonly validUntil: Instant
}

export interface EndpointSecrets {
  readonly values: SecretValues
  /** The previous signing secrets, newest first; each signs too until it expires. */
  readonly earlier: readonly EarlierSecret[]
}

export interface Webhook extends EndpointConfig {
  readonly name: WebhookName
  /** Null when they cannot be opened: their key is missing or their bytes were changed. */
  readonly secrets: EndpointSecrets | null
  /** Why the last delivery failed; null once deliveries succeed again. */
  readonly lastError: string | null
  readonly createdAt: Instant
}

/** A webhook without its secrets, for operators. */
export interface EndpointFacts extends EndpointConfig, Pick<Webhook, 'name' | 'lastError' | 'createdAt'> {}

export interface EndpointRow extends EndpointConfig {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly webhookId: WebhookId
  readonly secrets: Uint8Array
  readonly secretsKeyId: string
  readonly lastError: string | null
  readonly createdAt: Instant
}

/** One attempt in the log of deliveries. */
export interface Delivery {
  readonly id: string
  readonly event: ServiceEventKind
  /** The durable id. */
  readonly eventId: string
  readonly kind: DeliveryKind
  /** Null without an answer. */
  readonly httpStatus: number | null
  /** The class of the failure; null when it was delivered. */
  readonly errorClass: string | null
  readonly durationMs: number
  readonly at: Instant
}

export interface NewDelivery extends Delivery {
  readonly name: WebhookName
}

/** A change of a queue's state. */
export interface Transition {
  readonly name: WebhookName
  readonly from: QueueState
  readonly to: QueueState
  readonly at: Instant
  /** A sentence like `answered 503`; null without a failure. It contains no secret and nothing of a body. */
  readonly lastError: string | null
}

/** The caller of a command: a user, or the client id of a machine. */
export interface Actor {
  readonly actorId: string
}
