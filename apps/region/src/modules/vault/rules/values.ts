import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import {
  type Attestation,
  type FileCaps,
  fileCapMb,
  INLINE_VALUE_MAX,
  isBinary,
  type Lane,
  type Registry,
  resolveType,
  sealedTextMax,
  validateWrite,
  type ValueProblem,
  valueReasons,
} from '@sealpost/field-types'
import { accept, decline, type Instant, type Result } from '@sealpost/kernel'
import type { StoredValue, UserType, VaultContent } from '../model.ts'
import { faultsOfFiles } from './clear-file.ts'

const platform = createCryptoPlatform(globalThis)

/** A value that the field accepts, and its form. */
export interface ValidatedValue {
  readonly form: 'wrapper' | 'text' | 'sealed_file' | 'clear_file'
  readonly text: string
}

export type ValueRefusal =
  | { readonly kind: 'not_sealed' }
  | { readonly kind: 'too_large'; readonly maxMb: number }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }

export interface Fault {
  /** Below the validated member: `/pages/0/file`. */
  readonly path: string
  readonly message: string
}

export interface GivenValue {
  readonly registry: Registry
  readonly type: string
  readonly userType: UserType
  readonly isPrivate: boolean
  readonly value: unknown
  readonly caps: FileCaps
}

/** The lane of values of this type; a type that the registry lacks is inline. */
export function laneOf(registry: Registry, type: string): Lane {
  return resolveType(registry, type).lane ?? 'inline'
}

/** A person's device seals the value; only a file of a field that is not private comes in the clear. */
export function validateValue(given: GivenValue): Result<ValidatedValue, ValueRefusal> {
  const formed = validateForm(given)
  return formed.ok ? validateFiles(given, formed.value) : formed
}

/** The first half of `validateValue`. Each half reads megabytes; a caller that can wait lets other work run in between. */
export function validateForm(given: GivenValue): Result<ValidatedValue, ValueRefusal> {
  const { registry, type, userType, isPrivate, value, caps } = given
  const lane = laneOf(registry, type)
  if (isBinary({ lane })) {
    if (isPrivate) return validateSealedFile(value, lane, caps)
    return validateClearFile(given, lane)
  }
  if (userType === 'person') return validateWrapper(value)
  return validateText(given)
}

/** Validates the wrapper of a row, or of a share for an inline slot. */
export function validateWrapper(value: unknown): Result<ValidatedValue, ValueRefusal> {
  if (typeof value === 'string' && value.length > INLINE_VALUE_MAX) return tooLong()
  return isWrapper(platform, value) ? accept({ form: 'wrapper', text: value }) : decline({ kind: 'not_sealed' })
}

/** Validates the sealed file of a value, or of a share for a binary slot. */
export function validateSealedFile(value: unknown, lane: Lane, caps: FileCaps): Result<ValidatedValue, ValueRefusal> {
  if (typeof value === 'string' && value.length > longestFile(lane, caps)) return declineLarge(lane, caps)
  return isWrapper(platform, value) ? accept({ form: 'sealed_file', text: value }) : decline({ kind: 'not_sealed' })
}

function validateClearFile(
  { registry, type, value, caps }: GivenValue,
  lane: Lane,
): Result<ValidatedValue, ValueRefusal> {
  if (typeof value !== 'string' || value === '') return declineEmpty()
  if (value.length > longestFile(lane, caps)) return declineLarge(lane, caps)
  const verdict = validateWrite(registry, type, value, { caps })
  if (!verdict.ok) return declineProblems(verdict.refusal, fileCapMb(lane, caps))
  return accept({ form: 'clear_file', text: value })
}

/** The second half: files in the clear have the type that they state. */
export function validateFiles(
  { registry, type }: Pick<GivenValue, 'registry' | 'type'>,
  formed: ValidatedValue,
): Result<ValidatedValue, ValueRefusal> {
  if (formed.form !== 'clear_file') return accept(formed)
  const found = faultsOfFiles(formed.text, laneOf(registry, type))
  const faults = found.map(({ path, message }) => ({ path: pointer(path), message }))
  return faults.length > 0 ? decline({ kind: 'faults', faults }) : accept(formed)
}

function validateText({ registry, type, value, caps }: GivenValue): Result<ValidatedValue, ValueRefusal> {
  if (typeof value !== 'string' || value === '') return declineEmpty()
  if (Buffer.byteLength(value) > INLINE_VALUE_MAX) return tooLong()
  const verdict = validateWrite(registry, type, value, { caps })
  return verdict.ok ? accept({ form: 'text', text: value }) : declineProblems(verdict.refusal, caps.documentMaxMb)
}

function longestFile(lane: Lane, caps: FileCaps): number {
  return sealedTextMax(fileCapMb(lane, caps))
}

function declineLarge(lane: Lane, caps: FileCaps): Result<never, ValueRefusal> {
  return decline({ kind: 'too_large', maxMb: fileCapMb(lane, caps) })
}

function declineProblems(problems: readonly ValueProblem[], maxMb: number): Result<never, ValueRefusal> {
  if (problems.some(({ reason }) => reason === 'file_too_large')) return decline({ kind: 'too_large', maxMb })
  const faults = problems.map(({ path, reason }) => ({ path: pointer(path), message: valueReasons[reason] }))
  return decline({ kind: 'faults', faults })
}

function declineEmpty(): Result<never, ValueRefusal> {
  return decline({
    kind: 'faults',
    faults: [{ path: '', message: 'is not a text; to empty the field, delete its value' }],
  })
}

function tooLong(): Result<never, ValueRefusal> {
  return decline({
    kind: 'faults',
    faults: [{ path: '', message: `has more than ${INLINE_VALUE_MAX} characters: shorten it, or use a file field` }],
  })
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Null once it has expired. */
export function liveAttestation(attestation: Attestation | null, now: Instant): Attestation | null {
  const isOver = attestation !== null && attestation.expiresAt !== null && attestation.expiresAt <= now
  return isOver ? null : attestation
}

/** An equal content keeps its attestation. Sealing never gives the same wrapper twice, so an equal one is the same value. */
export function keptAttestation(
  before: Pick<StoredValue, 'content' | 'attestation'> | null,
  content: VaultContent,
): Attestation | null {
  return before !== null && isSame(before.content, content) ? before.attestation : null
}

function isSame(one: VaultContent, other: VaultContent): boolean {
  if (one.kind === 'object') return other.kind === 'object' && one.sha256 === other.sha256
  return JSON.stringify(one) === JSON.stringify(other)
}
