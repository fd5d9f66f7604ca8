import { accept, decline, type Result } from '@sealpost/kernel'
import type { AppClaim } from '../model.ts'

export interface ClaimsRefusal {
  readonly key: 'oauth_apps.claims_invalid' | 'oauth_apps.claim_config_plugin_invalid'
  readonly reason: string
}

const MAX_CLAIMS = 15
const MAX_TEXT = 200
const MAX_DAYS = 36_500
const MEMBERS: readonly string[] = [
  'name',
  'type',
  'label',
  'suggest',
  'required',
  'verified',
  'verified_max_age_days',
  'plugin',
]
/** The type of claims that a plugin answers. */
const PLUGIN = 'plugin'

/** `claimable`: the types whose values travel inline. */
export function validateClaims(
  value: unknown,
  claimable: readonly string[],
): Result<readonly AppClaim[], ClaimsRefusal> {
  if (value === undefined) return accept([])
  if (!Array.isArray(value)) return invalid('claims is not a list')
  if (value.length > MAX_CLAIMS) return invalid(`an app has at most ${MAX_CLAIMS} claims`)
  const claims: AppClaim[] = []
  for (const [place, member] of value.entries()) {
    const claim = validateClaim(member, `claims[${place}]`, claimable)
    if (!claim.ok) return claim
    if (claims.some(({ name }) => name === claim.value.name)) return invalid(`claims[${place}] repeats a name`)
    claims.push(claim.value)
  }
  return accept(claims)
}

function validateClaim(value: unknown, at: string, claimable: readonly string[]): Result<AppClaim, ClaimsRefusal> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid(`${at} is not an object`)
  const given: Readonly<Record<string, unknown>> = { ...value }
  const unknown = Object.keys(given).find((member) => !MEMBERS.includes(member))
  if (unknown !== undefined) return invalid(`${at} has an unknown member`)
  const { name, type } = given
  if (!isText(name) || name.trim() === '') return invalid(`${at} has no name`)
  if (type === PLUGIN || (given['plugin'] ?? null) !== null) {
    return decline({
      key: 'oauth_apps.claim_config_plugin_invalid',
      reason: `${at} names a plugin, and this account has none`,
    })
  }
  if (typeof type !== 'string' || !claimable.includes(type)) return invalid(`the type of ${at} cannot be claimed`)
  return validateSettings(given, at, { name: name.trim(), type })
}

function validateSettings(
  given: Readonly<Record<string, unknown>>,
  at: string,
  { name, type }: Pick<AppClaim, 'name' | 'type'>,
): Result<AppClaim, ClaimsRefusal> {
  const { label = null, suggest = null, required = false, verified = false } = given
  const days = given['verified_max_age_days'] ?? null
  if (label !== null && !isText(label)) return invalid(`the label of ${at} is not a short text`)
  if (suggest !== null && !isText(suggest)) return invalid(`suggest of ${at} is not a short text`)
  if (typeof required !== 'boolean') return invalid(`required of ${at} is not true or false`)
  if (typeof verified !== 'boolean') return invalid(`verified of ${at} is not true or false`)
  if (verified && type !== 'email') return invalid(`${at} cannot be asked for verified: only an email can`)
  if (!isDays(days)) return invalid(`verified_max_age_days of ${at} is not a whole number from 1 to ${MAX_DAYS}`)
  if (days !== null && !verified) return invalid(`${at} limits the age of a verification that it does not ask for`)
  return accept({ name, type, label, suggest, required, verified, verified_max_age_days: days })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT
}

function isDays(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_DAYS)
}

function invalid(reason: string): Result<never, ClaimsRefusal> {
  return decline({ key: 'oauth_apps.claims_invalid', reason: `The list of claims cannot be used: ${reason}` })
}
