import { accept, decline, type Result } from '@sealpost/kernel'
import {
  isSubscribable,
  type SubscribableEventKind,
  type WebhookAuthType,
  webhookAuthTypes,
  type WebhookFormat,
  webhookFormats,
} from '@sealpost/protocol'
import type { EndpointConfig } from '../endpoint.ts'

export interface ConfigGiven {
  readonly url?: unknown
  readonly events?: unknown
  readonly format?: unknown
  readonly auth_type?: unknown
  readonly encrypt_payload?: boolean | undefined
  readonly enabled?: boolean | undefined
}

export type ConfigRefusal = 'services.webhook_url_invalid' | 'services.webhook_invalid'

/** A creation and a replacement are judged alike: what is absent gets its default. */
export function judgeConfig(given: ConfigGiven): Result<EndpointConfig, ConfigRefusal> {
  const { url, encrypt_payload: encryptPayload = false, enabled: isEnabled = true } = given
  if (!isDeliverable(url)) return decline('services.webhook_url_invalid')
  const events = readEvents(given.events)
  const format = readFormat(given.format)
  const authType = readAuthType(given.auth_type)
  if (events === null || format === null || authType === null) return decline('services.webhook_invalid')
  return accept({ url, events, format, authType, encryptPayload, isEnabled })
}

const MAX_URL = 2048
const WITH_AUTHORITY = /^https?:\/\/[^/?#\\]/i
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u

/**
 * Where the name leads is judged at every delivery, not here: it can change. A user name or password in the address
 * would rest and be shown in the clear, and `basic` exists for them.
 */
function isDeliverable(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > MAX_URL) return false
  if (!WITH_AUTHORITY.test(url) || BLANK_OR_CONTROL.test(url) || !url.isWellFormed()) return false
  const parsed = URL.parse(url)
  return parsed !== null && parsed.hostname !== '' && parsed.username === '' && parsed.password === ''
}

/** Each once, in the order given. */
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
