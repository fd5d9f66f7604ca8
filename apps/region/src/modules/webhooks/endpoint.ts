import type { Instant, Secret } from '@sealpost/kernel'
import type { SubscribableEventKind, WebhookAuthType, WebhookFormat } from '@sealpost/protocol'
import type { OutletName } from '../feed/index.ts'

/** What a company sets of a webhook. */
export interface EndpointConfig {
  readonly url: string
  /** Empty: all of them. */
  readonly events: readonly SubscribableEventKind[]
  readonly format: WebhookFormat
  readonly authType: WebhookAuthType
  readonly encryptPayload: boolean
  readonly isEnabled: boolean
}

/** The members that rest sealed and are masked wherever they are read. */
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
  /** The signing secrets before the present one, newest first; each signs too until its time is over. */
  readonly earlier: readonly EarlierSecret[]
}

/** A webhook as its company set it up. */
export interface Webhook extends EndpointConfig {
  readonly name: OutletName
  /** Null: they do not open, because the key that they rest under is missing or their bytes were changed. */
  readonly secrets: EndpointSecrets | null
  /** Why the last delivery failed; null once deliveries succeed again. */
  readonly lastError: string | null
  readonly createdAt: Instant
}
