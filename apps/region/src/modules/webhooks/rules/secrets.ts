import { accept, decline, type Instant, instant, type Result, Secret } from '@sealpost/kernel'
import type { WebhookAuthType } from '@sealpost/protocol'
import {
  type EarlierSecret,
  type EndpointSecrets,
  SECRET_NAMES,
  type SecretName,
  type SecretValues,
} from '../endpoint.ts'
import { isAllowedHeaderName } from './header-name.ts'
import { looksMasked, maskSecret } from './mask.ts'

export type SecretsGiven = { readonly [name in SecretName]?: string | null | undefined }

/** How long the signing secret before stays good, unless the call says otherwise. */
export const DEFAULT_GRACE_SECONDS = 86_400

/** Receivers read no endless list of signatures: `verifyStandardSignature` of the crypto package stops after 16. */
const MOST_EARLIER = 9

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
  /** The signing secret that was made just now was taken. */
  readonly isMade: boolean
  readonly isChanged: boolean
}

export interface MergeWish {
  readonly authType: WebhookAuthType
  readonly given: SecretsGiven
  /** What signs if nothing else is there. */
  readonly made: Secret<string>
  readonly now: Instant
  /** `Platform` of `X-Platform-Signature`. */
  readonly headerVendor: string
}

export type SecretsRefusal = 'services.webhook_auth_invalid' | 'services.webhook_secret_limit'

/**
 * What a webhook's secrets are after a call. Absent, empty or the mask that was read: as before. Null: removed.
 * A signing secret that is replaced stays good for the default grace.
 */
export function mergeSecrets(
  stored: EndpointSecrets,
  { authType, given, made, now, headerVendor }: MergeWish,
): Result<MergedSecrets, SecretsRefusal> {
  const values: Record<SecretName, Secret<string> | null> = { ...stored.values }
  for (const name of SECRET_NAMES) {
    const text = given[name]
    if (isOmitted(text, stored.values[name])) continue
    if (text !== null && !isUsable(name, text, headerVendor)) return decline('services.webhook_auth_invalid')
    values[name] = text === null ? null : keepIfSame(stored.values[name], text)
  }
  const isMade = authType === 'hmac' && values.hmac_secret === null
  if (isMade) values.hmac_secret = made
  if (lacksSecret(authType, values)) return decline('services.webhook_auth_invalid')
  const isChanged = SECRET_NAMES.some((name) => values[name] !== stored.values[name])
  if (values.hmac_secret === stored.values.hmac_secret) {
    return accept({ secrets: { values, earlier: stored.earlier }, isMade, isChanged })
  }
  const earlier = earlierThan(values.hmac_secret, stored, now, DEFAULT_GRACE_SECONDS)
  return earlier === null
    ? decline('services.webhook_secret_limit')
    : accept({ secrets: { values, earlier }, isMade, isChanged })
}

/** A new signing secret; the old one stays good for so long, those before it for as long as was said of them. */
export function rotateSecret(
  stored: EndpointSecrets,
  made: Secret<string>,
  now: Instant,
  graceSeconds: number,
): Result<EndpointSecrets, 'services.webhook_secret_limit'> {
  const earlier = earlierThan(made, stored, now, graceSeconds)
  if (earlier === null) return decline('services.webhook_secret_limit')
  return accept({ values: { ...stored.values, hmac_secret: made }, earlier })
}

/** Whether something is missing without which nothing can be sent. */
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

/** What could not be sent as it stands would make every delivery fail. */
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

/**
 * Null when there would be too many. No grace is what somebody asks for whose secret has leaked, and who may not know
 * which one: it ends all of them.
 */
function earlierThan(
  next: Secret<string> | null,
  { values: { hmac_secret: replaced }, earlier }: EndpointSecrets,
  now: Instant,
  graceSeconds: number,
): readonly EarlierSecret[] | null {
  if (graceSeconds === 0) return []
  // One that is set again signs as the newest, and not a second time.
  const left = earlier.filter(({ secret, validUntil }) => now < validUntil && secret.reveal() !== next?.reveal())
  const validUntil = instant(now + graceSeconds * 1000)
  const all = replaced === null ? left : [{ secret: replaced, validUntil }, ...left]
  return all.length > MOST_EARLIER ? null : all
}
