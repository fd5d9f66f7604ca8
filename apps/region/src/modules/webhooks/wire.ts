import { formatInstant } from '@sealpost/kernel'
import type { SubscribableEventKind, WebhookAuthType, WebhookFormat, WebhookState } from '@sealpost/protocol'
import { maskSecret } from '../../platform/mask.ts'
import type { QueueHealth } from '../feed/index.ts'
import { UNREADABLE } from './delivery/model.ts'
import type { Delivery, SecretName, Webhook } from './model.ts'

export interface WireWebhook extends Readonly<Record<SecretName, string | null>> {
  readonly id: string
  readonly url: string
  readonly events: SubscribableEventKind[]
  readonly format: WebhookFormat
  readonly auth_type: WebhookAuthType
  readonly encrypt_payload: boolean
  readonly enabled: boolean
  readonly created_at: string
  readonly paused: boolean
  readonly health: {
    readonly state: WebhookState
    readonly since: string
    readonly backlog_count: number
    readonly backlog_oldest_at: string | null
    readonly last_error: string | null
  }
}

/** The answer of a creation or change: the only one with a generated secret in the clear. */
export interface WireWebhookOnce extends WireWebhook {
  readonly hmac_secret_once: string | null
}

/** Secrets are masked. */
export function webhookToWire(webhook: Webhook, health: QueueHealth): WireWebhook {
  return {
    id: webhook.name.webhookId,
    url: webhook.url,
    events: [...webhook.events],
    format: webhook.format,
    auth_type: webhook.authType,
    encrypt_payload: webhook.encryptPayload,
    enabled: webhook.isEnabled,
    ...maskedSecrets(webhook),
    created_at: formatInstant(webhook.createdAt),
    paused: health.isPaused,
    health: {
      state: health.state,
      since: formatInstant(health.since),
      backlog_count: health.backlogCount,
      backlog_oldest_at: health.backlogOldestAt === null ? null : formatInstant(health.backlogOldestAt),
      last_error: isUnreadable(webhook) ? UNREADABLE : webhook.lastError,
    },
  }
}

export function deliveryToWire({ id, event, eventId, kind, httpStatus, errorClass, durationMs, at }: Delivery) {
  return {
    id,
    event,
    event_id: eventId,
    kind,
    http_status: httpStatus,
    duration_ms: durationMs,
    error_class: errorClass,
    at: formatInstant(at),
  }
}

/** Reported before the first delivery fails because of it; a webhook without authentication needs no secret. */
function isUnreadable({ secrets, authType }: Webhook): boolean {
  return secrets === null && authType !== 'none'
}

/** All null for secrets that cannot be opened. */
function maskedSecrets({ secrets }: Webhook): Record<SecretName, string | null> {
  const mask = (name: SecretName) => {
    const secret = secrets?.values[name] ?? null
    return secret === null ? null : maskSecret(secret.reveal())
  }
  return {
    hmac_secret: mask('hmac_secret'),
    auth_token: mask('auth_token'),
    auth_username: mask('auth_username'),
    auth_password: mask('auth_password'),
    auth_header_name: mask('auth_header_name'),
    auth_header_value: mask('auth_header_value'),
  }
}
