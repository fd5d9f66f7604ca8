import { accept, decline, type Result } from '@sealpost/kernel'
import {
  isSubscribable,
  type SubscribableEventKind,
  type WebhookAuthType,
  webhookAuthTypes,
  type WebhookFormat,
  webhookFormats,
} from '@sealpost/protocol'
import type { EndpointConfig } from '../model.ts'

export interface ConfigGiven {
  readonly url?: unknown
  readonly events?: unknown
  readonly format?: unknown
  readonly auth_type?: unknown
  readonly encrypt_payload?: boolean | undefined
  readonly enabled?: boolean | undefined
}

export type ConfigRefusal = 'services.webhook_url_invalid' | 'services.webhook_invalid'

/** Same rules for a creation and a replacement: an absent member gets its default. */
export function validateConfig(given: ConfigGiven): Result<EndpointConfig, ConfigRefusal> {
  const { url, encrypt_payload: encryptPayload = false, enabled: isEnabled = true } = given
  if (!isDeliverable(url)) return decline('services.webhook_url_invalid')
  const events = readEvents(given.events)
  const format = readFormat(given.format)
  const authType = readAuthType(given.auth_type)
  if (events === null || format === null || authType === null) return decline('services.webhook_invalid')
  return accept({ url, events, format, authType, encryptPayload, isEnabled })
}

/** Null: all kinds, including future ones. */
export function kindsOf({ events }: Pick<EndpointConfig, 'events'>): EndpointConfig['events'] | null {
  return events.length === 0 ? null : events
}

const MAX_URL = 2048
const WITH_AUTHORITY = /^https?:\/\/[^/?#\\]/i
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u

/**
 * The address behind the host name is checked at every delivery, because it can change. A user name or password in the
 * URL would be stored and answered in the clear; `basic` exists for them.
 */
function isDeliverable(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > MAX_URL) return false
  if (!WITH_AUTHORITY.test(url) || BLANK_OR_CONTROL.test(url) || !url.isWellFormed()) return false
  const parsed = URL.parse(url)
  return parsed !== null && parsed.hostname !== '' && parsed.username === '' && parsed.password === ''
}

/** Without duplicates, in the given order. */
function readEvents(given: unknown): readonly SubscribableEventKind[] | null {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return null
  const events = new Set<SubscribableEventKind>()
  for (const event of given) {
    if (typeof event !== 'string' || !isSubscribable(event)) return null
    events.add(event)
  }
  return [...events]
}

function readFormat(given: unknown): WebhookFormat | null {
  if (given === undefined) return 'json'
  return webhookFormats.find((format) => format === given) ?? null
}

function readAuthType(given: unknown): WebhookAuthType | null {
  if (given === undefined) return 'hmac'
  return webhookAuthTypes.find((authType) => authType === given) ?? null
}
