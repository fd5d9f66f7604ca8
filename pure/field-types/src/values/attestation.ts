import { type Instant, parseInstant } from '@sealpost/kernel'
import { countries } from './countries.ts'
import { membersOf } from './json.ts'

/** A verification of a value; only its hash shows whether it belongs to this value (`@sealpost/crypto`). */
export interface Attestation {
  readonly hash: string
  /** Used as text, not as bytes. */
  readonly salt: string
  readonly verifiedAt: Instant
  readonly expiresAt: Instant | null
  readonly source: AttestationSource | null
  /** The signed statement of the provider, if it made one. */
  readonly statement?: string
}

export interface AttestationSource {
  readonly method: AttestationMethod
  readonly provider: string
  readonly verificationId: string
}

export const attestationMethods = ['email_code', 'sms_code', 'id_document', 'address_document', 'eid'] as const
export type AttestationMethod = (typeof attestationMethods)[number]

const DAY_MS = 86_400_000

/** The `verified_*` members of a value. Null, which means not attested, also when it has expired or cannot be read. */
export function readAttestation(value: unknown, now: Instant): Attestation | null {
  const members = membersOf(value) ?? new Map<string, unknown>()
  const hash = matching(members.get('verified_hash'), /^[0-9a-f]{64}$/)
  const salt = matching(members.get('verified_salt'), /^[0-9a-f]{32}$/)
  const verifiedAt = readInstant(members.get('verified_at'))
  const expiresAt = readInstant(members.get('verified_expires_at'))
  const source = readSource(members)
  if (hash === null || salt === null || verifiedAt === null || verifiedAt === undefined) return null
  if (expiresAt === undefined || source === undefined) return null
  if (expiresAt !== null && expiresAt <= now) return null
  return { hash, salt, verifiedAt, expiresAt, source }
}

/** Whether a value may answer a request row with `verified: true`. */
export function meetsVerifiedRow(attestation: Attestation | null, maxAgeDays: number | null, now: Instant): boolean {
  if (attestation === null) return false
  return maxAgeDays === null || now - attestation.verifiedAt < maxAgeDays * DAY_MS
}

/** Method, provider and id come together or not at all; undefined when they do not. */
function readSource(members: ReadonlyMap<string, unknown>): AttestationSource | null | undefined {
  const parts = ['verified_method', 'verified_provider', 'verification_id'].map((name) => members.get(name) ?? null)
  if (parts.every((part) => part === null)) return null
  const [named, provider, verificationId] = parts
  const method = attestationMethods.find((known) => known === named)
  if (method === undefined || !isFilled(provider) || !isFilled(verificationId)) return undefined
  return { method, provider, verificationId }
}

/** Null when there is none, undefined when it is unreadable. */
function readInstant(value: unknown): Instant | null | undefined {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? (parseInstant(value) ?? undefined) : undefined
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function matching(value: unknown, shape: RegExp): string | null {
  return typeof value === 'string' && shape.test(value) ? value : null
}

export interface PlaceOfBirth {
  readonly city: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** The attested form of a place of birth: `Utrecht, NL`. Null when it cannot be written so. */
export function formatPlaceOfBirth({ city, country }: PlaceOfBirth): string | null {
  const text = `${city}, ${country}`
  return parsePlaceOfBirth(text) === null ? null : text
}

/** Null for free text, which is a valid value but not the verified form. */
export function parsePlaceOfBirth(text: string): PlaceOfBirth | null {
  // The last comma: cities such as "Washington, D.C." have their own.
  const comma = text.lastIndexOf(', ')
  if (comma < 0) return null
  const [city, country] = [text.slice(0, comma), text.slice(comma + 2)]
  return city !== '' && city === city.trim() && countries.has(country) ? { city, country } : null
}
