import {
  accepts,
  type Attestation,
  type FileCaps,
  fileCapMb,
  INLINE_VALUE_MAX,
  isBinary,
  meetsVerifiedRow,
  type Registry,
  resolveType,
  sealedTextMax,
} from '@sealpost/field-types'
import { accept, decline, type Instant, parseInstant, type Result } from '@sealpost/kernel'
import type { AskedRow, Decision, DecisionKind } from '@sealpost/protocol'
import type { UserType } from '../../../account/index.ts'
import type { ContactField } from '../../../registry/index.ts'
import type { VaultValue } from '../../../vault/index.ts'
import type { Answered } from '../model.ts'
import { type Detail, readSealed } from './sealed.ts'

/** A contact field of the customer that a decision names, with its value. */
export interface Source {
  readonly field: ContactField
  readonly value: VaultValue
  /** Null once it has expired. */
  readonly attestation: Attestation | null
}

/** Where the value of a slot comes from. */
export type Content =
  | { readonly from: 'wrapper'; readonly wrapper: string }
  | { readonly from: 'sealed_file'; readonly wrapper: string }
  /** The clear file in the vault. */
  | { readonly from: 'vault'; readonly value: VaultValue }
  /** A clear file in the call itself. */
  | { readonly from: 'call'; readonly type: string; readonly file: NonNullable<Decision['file']> }
  /** The slot does not change. */
  | { readonly from: 'kept' }

/** A valid decision. */
export interface Planned {
  /** Its JSON pointer in the call, for later error details. */
  readonly place: string
  readonly row: AskedRow
  readonly kind: DecisionKind
  readonly live: boolean
  readonly source: Source | null
  readonly content: Content
  /** Of the device, over a sealed content; null for others. */
  readonly senderSignature: string | null
}

export type DecisionRefusal =
  | { readonly kind: 'encryption_required' | 'source_changed' }
  | { readonly kind: 'too_large'; readonly maxMb: number }
  | { readonly kind: 'invalid'; readonly details: Detail[] }

export interface DecisionContext {
  /** The rows that the service asks this customer for. */
  readonly rows: readonly AskedRow[]
  readonly userType: UserType
  readonly registry: Registry
  readonly sources: ReadonlyMap<string, Source>
  /** Current answers by request row; a decision that repeats one without a value keeps it. */
  readonly answered: ReadonlyMap<string, Answered>
  readonly caps: FileCaps
  readonly now: Instant
}

/** Validates each decision alone; `rows.ts` and `remap.ts` check what all of them together must cover. */
export function validateDecisions(
  decisions: readonly Decision[],
  asked: DecisionContext,
): Result<readonly Planned[], DecisionRefusal> {
  const details: Detail[] = []
  const planned: Planned[] = []
  const seen = new Set<string>()
  for (const [index, decision] of decisions.entries()) {
    const place = `/body/decisions/${index}`
    const validated = seen.has(decision.request_field_id)
      ? invalidAt(place, 'decides on a request field that an earlier entry decides on')
      : validateEntry(decision, place, asked)
    seen.add(decision.request_field_id)
    if (validated.ok) planned.push(...validated.value)
    // Reported before anything else: an unsealed value is the most serious mistake.
    else if (validated.refusal.kind !== 'invalid') return validated
    else details.push(...validated.refusal.details)
  }
  return details.length === 0 ? accept(planned) : decline({ kind: 'invalid', details })
}

/** The rows whose answers are withdrawn. */
export function withdrawnRows(decisions: readonly Decision[]): ReadonlySet<string> {
  return new Set(decisions.filter((decision) => !isAnswer(decision)).map(({ request_field_id: id }) => id))
}

type AnswerDecision = Decision & { readonly kind: DecisionKind }

function isAnswer(decision: Decision): decision is AnswerDecision {
  return decision.kind !== 'none'
}

function validateEntry(
  decision: Decision,
  place: string,
  asked: DecisionContext,
): Result<readonly Planned[], DecisionRefusal> {
  if (!isAnswer(decision)) return validateWithdrawal(decision, place, asked)
  const validated = validateDecision(decision, place, asked)
  return validated.ok ? accept([validated.value]) : validated
}

/** Also of an answer to a row that no longer asks this customer. */
function validateWithdrawal(
  { request_field_id: id, value, file, source_field_id: source = null }: Decision,
  place: string,
  { rows, answered }: DecisionContext,
): Result<readonly [], DecisionRefusal> {
  if (!answered.has(id) && !rows.some((row) => row.id === id))
    return invalidAt(`${place}/request_field_id`, 'is not a field that this service asks of you')
  const brings = value !== undefined || file !== undefined || source !== null
  return brings
    ? invalidAt(place, 'withdraws an answer, so value, file and source_field_id must be absent')
    : accept([])
}

function validateDecision(
  decision: AnswerDecision,
  place: string,
  asked: DecisionContext,
): Result<Planned, DecisionRefusal> {
  const row = asked.rows.find(({ id }) => id === decision.request_field_id)
  if (row === undefined) return invalidAt(`${place}/request_field_id`, 'is not a field that this service asks of you')
  const kind = validateKind(row, decision, place)
  if (kind !== null) return kind
  const source = validateSource(row, decision, place, asked)
  if (!source.ok) return source
  const content = validateContent(row, decision, place, source.value, asked)
  if (!content.ok) return content
  const live = decision.kind !== 'one_time'
  const isSealed = content.value.from === 'wrapper' || content.value.from === 'sealed_file'
  const senderSignature = isSealed ? (decision.sender_signature ?? null) : null
  return accept({
    place,
    row,
    kind: decision.kind,
    live,
    source: source.value,
    content: content.value,
    senderSignature,
  })
}

function validateKind(row: AskedRow, { kind }: Decision, place: string): Result<never, DecisionRefusal> | null {
  if (row.one_time === (kind === 'one_time')) return null
  const wanted = row.one_time ? 'is shared once: use one_time' : 'stays live: use linked or typed'
  return invalidAt(`${place}/kind`, `${row.slug} ${wanted}`)
}

function validateSource(
  row: AskedRow,
  { kind, source_field_id: id, source_updated_at: readAt }: Decision,
  place: string,
  { userType, registry, sources, now }: DecisionContext,
): Result<Source | null, DecisionRefusal> {
  const at = `${place}/source_field_id`
  if (id === undefined || id === null) {
    if (kind === 'linked') return invalidAt(at, 'is needed: a linked value follows one of your fields')
    return row.verified
      ? invalidAt(at, `is needed: ${row.slug} takes a verified value of one of your fields`)
      : accept(null)
  }
  if (kind === 'typed') return invalidAt(at, 'must be absent: a typed value has no field behind it')
  const source = sources.get(id)
  if (source === undefined) return invalidAt(at, 'is not a field of yours that has a value')
  const { field, value, attestation } = source
  if (readAt !== undefined && parseInstant(readAt) !== value.updatedAt) return decline({ kind: 'source_changed' })
  if (field.usertype !== 'any' && field.usertype !== userType) return invalidAt(at, `is not a field of a ${userType}`)
  // Older rows, and types of a newer platform, may differ from their parent type in this.
  const isAlike = isBinary(row) === isBinary({ lane: resolveType(registry, value.type).lane ?? 'inline' })
  if (!isAlike || !accepts(registry, row.type, value.type))
    return invalidAt(at, `is a ${value.type}; ${row.slug} takes a ${row.type}`)
  if (row.verified && !meetsVerifiedRow(attestation, row.verified_max_age_days, now)) {
    return invalidAt(at, `is not verified, or not recently enough for ${row.slug}: verify it first`)
  }
  return accept(source)
}

function validateContent(
  row: AskedRow,
  decision: Decision,
  place: string,
  source: Source | null,
  { answered, caps }: DecisionContext,
): Result<Content, DecisionRefusal> {
  if (isRepeated(decision, answered.get(row.id))) return accept({ from: 'kept' })
  return isBinary(row) ? validateFile(row, decision, place, source, caps) : validateInline(decision, place)
}

function isRepeated(
  { kind, value, file, source_field_id: source = null }: Decision,
  earlier: Answered | undefined,
): boolean {
  const brings = value !== undefined || file !== undefined
  return !brings && earlier?.kind === kind && earlier.sourceFieldId === source
}

function validateInline({ value, file }: Decision, place: string): Result<Content, DecisionRefusal> {
  if (file !== undefined) return invalidAt(`${place}/file`, 'must be absent: this field is no file')
  if (value === undefined) return invalidAt(`${place}/value`, 'is required')
  const wrapper = readSealed(value)
  if (wrapper === null) return decline({ kind: 'encryption_required' })
  if (wrapper.length > INLINE_VALUE_MAX)
    return invalidAt(
      `${place}/value`,
      `has ${wrapper.length} characters, more than ${INLINE_VALUE_MAX}: shorten it, or ask for it in a file field`,
    )
  return accept({ from: 'wrapper', wrapper })
}

/** A private file comes sealed. A clear file of the vault is read from there, so that slot and field agree. */
function validateFile(
  row: AskedRow,
  { value, file }: Decision,
  place: string,
  source: Source | null,
  caps: FileCaps,
): Result<Content, DecisionRefusal> {
  if (value !== undefined) return invalidAt(`${place}/value`, 'must be absent: send `file`')
  const isClear = source?.value.content.kind === 'object' && source.value.content.form === 'clear'
  if (source !== null && isClear) return accept({ from: 'vault', value: source.value })
  if (file === undefined) return invalidAt(`${place}/file`, 'is required')
  if (file.value !== undefined) {
    const wrapper = readSealed(file.value)
    if (wrapper === null) return decline({ kind: 'encryption_required' })
    const maxMb = fileCapMb(row.lane, caps)
    const isTooLarge = wrapper.length > sealedTextMax(maxMb)
    return isTooLarge ? decline({ kind: 'too_large', maxMb }) : accept({ from: 'sealed_file', wrapper })
  }
  if (source !== null) return decline({ kind: 'encryption_required' })
  return accept({ from: 'call', type: row.type, file })
}

function invalidAt(path: string, message: string): Result<never, DecisionRefusal> {
  return decline({ kind: 'invalid', details: [{ path, message }] })
}

export function sourceIdsOf(decisions: readonly Decision[]): readonly string[] {
  return [...new Set(decisions.flatMap(({ source_field_id: id }) => (typeof id === 'string' ? [id] : [])))].toSorted()
}
