import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import {
  type FileCaps,
  fileCapMb,
  isBinary,
  type Lane,
  type Registry,
  resolveType,
  sealedTextMax,
  validateWrite,
  type ValueProblem,
  valueReasons,
} from '@sealpost/field-types'
import { accept, decline, type Result } from '@sealpost/kernel'
import { faultsOfFiles } from './clear-file.ts'
import type { LiveSlot } from './hooks.ts'

const platform = createCryptoPlatform(globalThis)

/** A value, or a wrapper of one, that rests in a row. */
export const INLINE_MAX = 16_384

export type UserType = 'person' | 'company'

/** What came is what the field takes, and in which form. */
export type Judged =
  | { readonly form: 'wrapper' | 'text'; readonly text: string }
  | { readonly form: 'sealed_file' | 'clear_file'; readonly text: string }

export type ValueRefusal =
  | { readonly kind: 'not_sealed' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }

export interface Fault {
  /** Below the member that is judged: `/pages/0/file`. */
  readonly path: string
  readonly message: string
}

export interface ValueQuestion {
  readonly registry: Registry
  readonly type: string
  readonly userType: UserType
  readonly isPrivate: boolean
  readonly value: unknown
  readonly caps: FileCaps
}

/** The lane that answers to this type take; a type that the registry lacks is inline. */
export function laneOf(registry: Registry, type: string): Lane {
  return resolveType(registry, type).lane ?? 'inline'
}

/** A person's value is sealed by her device; only a file of a field that is not private comes in the clear. */
export function judgeValue(question: ValueQuestion): Result<Judged, ValueRefusal> {
  const { registry, type, userType, isPrivate, value, caps } = question
  const lane = laneOf(registry, type)
  if (isBinary({ lane })) {
    if (isPrivate) return judgeSealedFile(value, lane, caps)
    return judgeClearFile(question, lane)
  }
  if (userType === 'person') return judgeWrapper(value)
  return judgeText(question)
}

/** For the row: also what a share holds for an inline slot. */
export function judgeWrapper(value: unknown): Result<Judged, ValueRefusal> {
  if (typeof value === 'string' && value.length > INLINE_MAX) return tooLong()
  return isWrapper(platform, value) ? accept({ form: 'wrapper', text: value }) : decline({ kind: 'not_sealed' })
}

/** For an object: also what a share holds for a binary slot. */
export function judgeSealedFile(value: unknown, lane: Lane, caps: FileCaps): Result<Judged, ValueRefusal> {
  if (typeof value === 'string' && value.length > longestFile(lane, caps)) return decline({ kind: 'too_large' })
  return isWrapper(platform, value) ? accept({ form: 'sealed_file', text: value }) : decline({ kind: 'not_sealed' })
}

function judgeClearFile({ registry, type, value, caps }: ValueQuestion, lane: Lane): Result<Judged, ValueRefusal> {
  if (typeof value !== 'string' || value === '') return declineEmpty()
  if (value.length > longestFile(lane, caps)) return decline({ kind: 'too_large' })
  const verdict = validateWrite(registry, type, value, { caps })
  if (!verdict.ok) return declineProblems(verdict.refusal)
  const faults = faultsOfFiles(value, lane).map(({ path, message }) => ({ path: pointer(path), message }))
  return faults.length > 0 ? decline({ kind: 'faults', faults }) : accept({ form: 'clear_file', text: value })
}

function judgeText({ registry, type, value, caps }: ValueQuestion): Result<Judged, ValueRefusal> {
  if (typeof value !== 'string' || value === '') return declineEmpty()
  if (Buffer.byteLength(value) > INLINE_MAX) return tooLong()
  const verdict = validateWrite(registry, type, value, { caps })
  return verdict.ok ? accept({ form: 'text', text: value }) : declineProblems(verdict.refusal)
}

function longestFile(lane: Lane, caps: FileCaps): number {
  return sealedTextMax(fileCapMb(lane, caps))
}

function declineProblems(problems: readonly ValueProblem[]): Result<never, ValueRefusal> {
  if (problems.some(({ reason }) => reason === 'file_too_large')) return decline({ kind: 'too_large' })
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
    faults: [{ path: '', message: `must not have more than ${INLINE_MAX} characters` }],
  })
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A slot and whatever names one. */
type SlotName = Pick<LiveSlot, 'connectionId' | 'slug'>

export interface ShareVerdict {
  /** Live slots without a share. */
  readonly missing: readonly SlotName[]
  /** Places of shares that name no live slot, or one that an earlier share has named. */
  readonly strange: readonly number[]
}

export function matchShares(slots: readonly SlotName[], shares: readonly SlotName[]): ShareVerdict {
  const open = new Map(slots.map((slot) => [nameOf(slot), slot]))
  const strange = shares.flatMap((share, place) => (open.delete(nameOf(share)) ? [] : [place]))
  return { missing: [...open.values()], strange }
}

export function nameOf({ connectionId, slug }: SlotName): string {
  return `${connectionId} ${slug}`
}
