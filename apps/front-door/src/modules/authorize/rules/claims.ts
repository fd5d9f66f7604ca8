import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { AuthorizeMode, SigninClaim } from '@sealpost/protocol'

type Texts = Readonly<Record<string, string>>

const platform = createCryptoPlatform(globalThis)

/** The claims that the person is asked for. A request can make the app's own claims stricter, not looser. */
export function tightenClaims(
  own: readonly SigninClaim[],
  sent: string | null,
  mode: AuthorizeMode,
): Result<readonly SigninClaim[], string> {
  const wishes = sent === null ? [] : parseWishes(sent)
  if (wishes === null) return decline('app_claims must be a JSON array of claims')
  const unknown = wishes.find((wish) => !own.some(({ name }) => name === wish['name']))
  if (unknown !== undefined) return decline('app_claims names a claim that the app does not have')
  const tightened: SigninClaim[] = []
  for (const claim of own) {
    const result = tighten(
      claim,
      wishes.filter((wish) => wish['name'] === claim.name),
    )
    if (!result.ok) return result
    tightened.push(result.value)
  }
  const isVerifiedOnce = mode === 'one_time' && tightened.some(({ verified }) => verified)
  return isVerifiedOnce ? decline('verified claims cannot be asked for with mode one_time') : accept(tightened)
}

function tighten(claim: SigninClaim, wishes: readonly Wish[]): Result<SigninClaim, string> {
  let { required, verified, verified_max_age_days: days } = claim
  for (const wish of wishes) {
    const { type, verified_max_age_days: wanted } = wish
    if (type !== undefined && type !== claim.type) return decline(`the claim ${claim.name} has another type`)
    if (wish['verified'] === true && claim.type !== 'email')
      return decline('only a claim of type email can be verified')
    if (wanted !== undefined && wanted !== null && !isDays(wanted)) {
      return decline('verified_max_age_days must be a whole number of days from 1 on')
    }
    required ||= wish['required'] === true
    verified ||= wish['verified'] === true
    if (isDays(wanted)) days = days === null ? wanted : Math.min(days, wanted)
  }
  return accept({ ...claim, required, verified, verified_max_age_days: days })
}

export interface Answers {
  readonly values: Texts
  readonly attestation: Texts
  /** Values as text, for apps that take plaintext at sign-in. */
  readonly isPlain: boolean
}

/** The fault of a person's values, or null. Only names and envelopes are checked: the app checks the content. */
export function validateAnswers(
  claims: readonly SigninClaim[],
  { values, attestation, isPlain }: Answers,
): string | null {
  const names = new Set(claims.map(({ name }) => name))
  const stray = [...Object.keys(values), ...Object.keys(attestation)].find((name) => !names.has(name))
  if (stray !== undefined) return 'a value was sent for a claim that was not asked for'
  if (Object.keys(attestation).some((name) => textOf(values, name) === undefined))
    return 'an attestation was sent without its value'
  for (const { name, required, verified } of claims) {
    const value = textOf(values, name)
    if (value === undefined) {
      if (required) return `the claim ${name} is required`
    } else {
      if (!isPlain && !isWrapper(platform, value)) return `the value of ${name} is not sealed to the app`
      if (verified && textOf(attestation, name) === undefined) return `the value of ${name} needs an attestation`
    }
  }
  const open = Object.values(attestation).some((text) => !isWrapper(platform, text))
  return open ? 'an attestation is not sealed to the app' : null
}

/** Own members only: a claim may be called `constructor`. */
function textOf(texts: Texts, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}

type Wish = Readonly<Record<string, unknown>>

function parseWishes(text: string): readonly Wish[] | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  return Array.isArray(parsed) && parsed.every(isWish) ? parsed : null
}

function isWish(value: unknown): value is Wish {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDays(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1
}
