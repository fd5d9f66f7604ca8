import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { buildRegistry, claimableTypes, seedRows } from '@sealpost/field-types'
import { accept, decline, type Result } from '@sealpost/kernel'
import { MAX_CLAIMS, readClaim, type SigninClaim } from '@sealpost/protocol'
import type { AuthorizeRequest } from '../model.ts'

type Texts = Readonly<Record<string, string>>

const platform = createCryptoPlatform(globalThis)

/** The types that apps may claim, too. */
const claimable = claimableTypes(buildRegistry(seedRows))

/** The claims that scopes of OpenID Connect stand for. */
const BARE = { label: null, suggest: null, required: false, verified: false, verified_max_age_days: null } as const
const CLAIM_OF_SCOPE: ReadonlyMap<string, SigninClaim> = new Map([
  ['profile', { name: 'name', type: 'text', ...BARE }],
  ['email', { name: 'email', type: 'email', ...BARE }],
])

/**
 * The claims that the person is asked for: those of the app, then those that the request and its scopes add. A request can
 * make a claim of the app stricter, not looser. An enrolment asks for nothing.
 */
export function claimsOfRequest(
  own: readonly SigninClaim[],
  { claims: sent, scopes, mode }: Pick<AuthorizeRequest, 'claims' | 'scopes' | 'mode'>,
): Result<readonly SigninClaim[], string> {
  if (mode === '2fa_enroll') return accept([])
  const wishes = sent === null ? [] : parseWishes(sent)
  if (wishes === null) return decline('app_claims must be a JSON array of claims')
  const asked = new Map(own.map((claim) => [claim.name, claim]))
  for (const [place, wish] of wishes.entries()) {
    const known = asked.get(nameOf(wish))
    const claim = known === undefined ? addClaim(wish, `app_claims[${place}]`) : tighten(known, wish)
    if (!claim.ok) return claim
    asked.set(claim.value.name, claim.value)
  }
  for (const scope of scopes) {
    const claim = CLAIM_OF_SCOPE.get(scope)
    if (claim !== undefined && !asked.has(claim.name)) asked.set(claim.name, claim)
  }
  const claims = [...asked.values()]
  if (claims.length > MAX_CLAIMS) return decline(`more than ${MAX_CLAIMS} claims cannot be asked for`)
  const isVerifiedOnce = mode === 'one_time' && claims.some(({ verified }) => verified)
  return isVerifiedOnce ? decline('verified claims cannot be asked for with mode one_time') : accept(claims)
}

function addClaim(wish: Wish, at: string): Result<SigninClaim, string> {
  const claim = readClaim(wish, at, claimable)
  return claim.ok ? claim : decline(claim.refusal.reason)
}

function nameOf({ name }: Wish): string {
  return typeof name === 'string' ? name.trim() : ''
}

function tighten(claim: SigninClaim, wish: Wish): Result<SigninClaim, string> {
  const { type, verified_max_age_days: wanted = null } = wish
  if (type !== undefined && type !== claim.type) return decline(`the claim ${claim.name} has another type`)
  if (wish['verified'] === true && claim.type !== 'email') return decline('only a claim of type email can be verified')
  if (wanted !== null && !isDays(wanted)) {
    return decline('verified_max_age_days must be a whole number of days from 1 on')
  }
  const { verified_max_age_days: days } = claim
  return accept({
    ...claim,
    required: claim.required || wish['required'] === true,
    verified: claim.verified || wish['verified'] === true,
    verified_max_age_days: wanted === null ? days : Math.min(days ?? wanted, wanted),
  })
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
export function textOf(texts: Texts, name: string): string | undefined {
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
