import { accept, decline, type Instant, instant, type Result, Secret } from '@sealpost/kernel'
import type { WebhookAuthType } from '@sealpost/protocol'
import { looksMasked, maskSecret } from '../../../platform/mask.ts'
import { type EarlierSecret, type EndpointSecrets, SECRET_NAMES, type SecretName, type SecretValues } from '../model.ts'

export type SecretsGiven = { readonly [name in SecretName]?: string | null | undefined }

/** How long a replaced signing secret stays valid by default. */
export const DEFAULT_GRACE_SECONDS = 86_400

/** Receivers limit the list of signatures: `verifyStandardSignature` of the crypto package reads 16. */
const MAX_EARLIER = 9

export const NO_SECRETS: EndpointSecrets = {
  values: {
    hmac_secret: null,
    auth_token: null,
    auth_username: null,
    auth_password: null,
    auth_header_name: null,
    auth_header_value: null,
  },
  earlier: [],
}

export interface MergedSecrets {
  readonly secrets: EndpointSecrets
  /** The generated signing secret is used. */
  readonly isGenerated: boolean
  readonly isChanged: boolean
}

export interface SecretChange {
  readonly authType: WebhookAuthType
  readonly given: SecretsGiven
  /** Used when hmac has no other secret. */
  readonly generated: Secret<string>
  readonly now: Instant
  /** `Platform` of `X-Platform-Signature`. */
  readonly headerVendor: string
}

export type SecretsRefusal = 'services.webhook_auth_invalid' | 'services.webhook_secret_limit'

/**
 * The secrets of a webhook after a call. Absent, empty or the mask of the stored one: unchanged. Null: removed. A replaced
 * signing secret stays valid for the default grace.
 */
export function mergeSecrets(
  stored: EndpointSecrets,
  { authType, given, generated, now, headerVendor }: SecretChange,
): Result<MergedSecrets, SecretsRefusal> {
  const values: Record<SecretName, Secret<string> | null> = { ...stored.values }
  for (const name of SECRET_NAMES) {
    const text = given[name]
    if (isOmitted(text, stored.values[name])) continue
    if (text !== null && !isUsable(name, text, headerVendor)) return decline('services.webhook_auth_invalid')
    values[name] = text === null ? null : keepIfSame(stored.values[name], text)
  }
  const isGenerated = authType === 'hmac' && values.hmac_secret === null
  if (isGenerated) values.hmac_secret = generated
  if (lacksSecret(authType, values)) return decline('services.webhook_auth_invalid')
  const isChanged = SECRET_NAMES.some((name) => values[name] !== stored.values[name])
  if (values.hmac_secret === stored.values.hmac_secret) {
    return accept({ secrets: { values, earlier: stored.earlier }, isGenerated, isChanged })
  }
  const earlier = earlierThan(values.hmac_secret, stored, now, DEFAULT_GRACE_SECONDS)
  return earlier === null
    ? decline('services.webhook_secret_limit')
    : accept({ secrets: { values, earlier }, isGenerated, isChanged })
}

/** A new signing secret; the replaced one stays valid for the grace, earlier ones until their own end. */
export function rotateSecret(
  stored: EndpointSecrets,
  generated: Secret<string>,
  now: Instant,
  graceSeconds: number,
): Result<EndpointSecrets, 'services.webhook_secret_limit'> {
  const earlier = earlierThan(generated, stored, now, graceSeconds)
  if (earlier === null) return decline('services.webhook_secret_limit')
  return accept({ values: { ...stored.values, hmac_secret: generated }, earlier })
}

/** Whether a secret is missing that this authentication needs. */
export function lacksSecret(authType: WebhookAuthType, values: SecretValues): boolean {
  return NEEDED[authType].some((name) => values[name] === null)
}

const NEEDED = {
  hmac: ['hmac_secret'],
  bearer: ['auth_token'],
  basic: ['auth_username', 'auth_password'],
  header: ['auth_header_name', 'auth_header_value'],
  none: [],
} as const satisfies Record<WebhookAuthType, readonly SecretName[]>

function isOmitted(text: string | null | undefined, stored: Secret<string> | null): text is undefined | '' {
  if (text === undefined || text === '') return true
  return text !== null && stored !== null && text === maskSecret(stored.reveal())
}

function keepIfSame(stored: Secret<string> | null, text: string): Secret<string> {
  return stored !== null && stored.reveal() === text ? stored : new Secret(text)
}

const TOKEN = /^[\x21-\x7e]+$/
const HEADER_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/
const CONTROL = /\p{Cc}/u

/** Refuses values that could not be sent: every delivery would fail. */
function isUsable(name: SecretName, text: string, headerVendor: string): boolean {
  if (looksMasked(text) || !text.isWellFormed()) return false
  switch (name) {
    case 'hmac_secret':
      return true
    case 'auth_token':
      return TOKEN.test(text)
    case 'auth_username':
      return !CONTROL.test(text) && !text.includes(':')
    case 'auth_password':
      return !CONTROL.test(text)
    case 'auth_header_name':
      return isAllowedHeaderName(text, headerVendor)
    case 'auth_header_value':
      return HEADER_VALUE.test(text)
  }
}

/** Null when there would be too many. Without a grace all earlier ones end: one of them may have leaked. */
function earlierThan(
  next: Secret<string> | null,
  { values: { hmac_secret: replaced }, earlier }: EndpointSecrets,
  now: Instant,
  graceSeconds: number,
): readonly EarlierSecret[] | null {
  if (graceSeconds === 0) return []
  // A secret that is set again signs as the newest only.
  const left = earlier.filter(({ secret, validUntil }) => now < validUntil && secret.reveal() !== next?.reveal())
  const validUntil = instant(now + graceSeconds * 1000)
  const all = replaced === null ? left : [{ secret: replaced, validUntil }, ...left]
  return all.length > MAX_EARLIER ? null : all
}

const RFC_9110_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/

/** Headers of the connection: setting them would break HTTP and every delivery. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether a company may choose this header, beside those of the platform. `Authorization` is allowed. */
export function isAllowedHeaderName(name: string, vendor: string): boolean {
  if (!RFC_9110_TOKEN.test(name)) return false
  const lower = name.toLowerCase()
  if (lower === 'host' || CONNECTION_HEADERS.has(lower)) return false
  return !['content-', 'proxy-', 'webhook-', 'x-platform-', `x-${vendor.toLowerCase()}-`].some((prefix) =>
    lower.startsWith(prefix),
  )
}
