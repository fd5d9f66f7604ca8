import { accept, decline, type Instant, instant, type Result, Secret } from '@sealpost/kernel'
import type { WebhookAuthType } from '@sealpost/protocol'
import { type EndpointSecrets, SECRET_NAMES, type SecretName, type SecretValues } from '../endpoint.ts'
import { isAllowedHeaderName } from './header-name.ts'
import { looksMasked, maskSecret } from './mask.ts'

export type SecretsGiven = { readonly [name in SecretName]?: string | null | undefined }

/** How long the signing secret before stays good, unless the call says otherwise. */
export const DEFAULT_GRACE_SECONDS = 86_400

export const NO_SECRETS: EndpointSecrets = {
  values: {
    hmac_secret: null,
    auth_token: null,
    auth_username: null,
    auth_password: null,
    auth_header_name: null,
    auth_header_value: null,
  },
  previous: null,
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

/**
 * What a webhook's secrets are after a call. Absent, empty or the mask that was read: as before. Null: removed.
 * A signing secret that is replaced stays good for the default grace.
 */
export function mergeSecrets(
  stored: EndpointSecrets,
  { authType, given, made, now, headerVendor }: MergeWish,
): Result<MergedSecrets, 'services.webhook_auth_invalid'> {
  const values: Record<SecretName, Secret<string> | null> = { ...stored.values }
  for (const name of SECRET_NAMES) {
    const text = given[name]
    if (isOmitted(text, stored.values[name])) continue
    if (text !== null && !isUsable(name, text, headerVendor)) return decline('services.webhook_auth_invalid')
    values[name] = text === null ? null : keepIfSame(stored.values[name], text)
  }
  const isMade = authType === 'hmac' && values.hmac_secret === null
  if (isMade) values.hmac_secret = made
  if (NEEDED[authType].some((name) => values[name] === null)) return decline('services.webhook_auth_invalid')
  const isChanged = SECRET_NAMES.some((name) => values[name] !== stored.values[name])
  const previous =
    values.hmac_secret === stored.values.hmac_secret
      ? stored.previous
      : previousOf(stored.values, now, DEFAULT_GRACE_SECONDS)
  return accept({ secrets: { values, previous }, isMade, isChanged })
}

/** A new signing secret; the old one stays good for so long. */
export function rotateSecret(
  { values }: EndpointSecrets,
  made: Secret<string>,
  now: Instant,
  graceSeconds: number,
): EndpointSecrets {
  return { values: { ...values, hmac_secret: made }, previous: previousOf(values, now, graceSeconds) }
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

function previousOf(values: SecretValues, now: Instant, graceSeconds: number): EndpointSecrets['previous'] {
  const { hmac_secret: secret } = values
  if (secret === null || graceSeconds === 0) return null
  return { secret, validUntil: instant(now + graceSeconds * 1000) }
}
