import {
  accepts,
  buildRegistry,
  checkOperatorRows,
  claimableTypes,
  clearAnswerForm,
  compilePattern,
  effectiveType,
  flowTypes,
  formatPlaceOfBirth,
  isBinary,
  meetsVerifiedRow,
  normaliseValue,
  orderTypes,
  parsePlaceOfBirth,
  readAttestation,
  readRegistry,
  type Registry,
  requestableTypes,
  resolveType,
  seedRows,
  validateValue,
  validateWrite,
  type ValueProblem,
  type Verdict,
} from '@sealpost/field-types'
import { parseInstant } from '@sealpost/kernel'
import type { VectorCase } from '../vector-case.ts'
import { casesOf, mustEqual, type Named } from './reading.ts'

/** `vectors/field-types.json` */
export function fieldTypeCases(file: unknown): readonly VectorCase[] {
  const registry = readRegistry([...rowsOf(file, 'seed'), ...rowsOf(file, 'rows')])
  return [
    { name: 'seed: is the published one', run: () => mustEqual(seedRows, rowsOf(file, 'seed')) },
    ...casesOf(file, 'values', (row: ValueRow) => checkValue(registry, row)),
    ...casesOf(file, 'writes', (row: WriteRow) => checkWrite(registry, row)),
    ...casesOf(file, 'resolve', (row: ResolveRow) => checkResolved(registry, row)),
    ...casesOf(file, 'accepts', (row: AcceptsRow) => checkAccepts(registry, row)),
    ...casesOf(file, 'ordered', (row: OrderedRow) => checkOrdered(registry, row)),
    ...casesOf(file, 'effective_types', (row: EffectiveTypeRow) => checkEffectiveType(registry, row)),
    ...casesOf(file, 'seed_sets', (row: SetsRow & Named) => checkSets(buildRegistry(seedRows), row)),
    ...casesOf(file, 'operator_rows', (row: OperatorRow) => checkOperator(registry, row)),
    ...casesOf(file, 'patterns', checkPattern),
    ...casesOf(file, 'normalised', (row: NormalisedRow) => checkNormalised(registry, row)),
    ...casesOf(file, 'attestations', checkAttestation),
    ...casesOf(file, 'places_of_birth', checkPlaceOfBirth),
  ]
}

/** A file that brings its own registry: `{registry, cases, resolve_cases, …, derived_sets}`. */
export function registryCases(file: unknown): readonly VectorCase[] {
  const registry = readRegistry(rowsOf(file, 'registry'))
  return [
    ...casesOf(file, 'cases', (row: PlainRow) => checkPlain(registry, row)),
    ...casesOf(file, 'resolve_cases', (row: ResolveRow) => checkResolved(registry, row)),
    ...casesOf(file, 'accepts_cases', (row: AcceptsRow) => checkAccepts(registry, row)),
    ...casesOf(file, 'ordered_cases', (row: OrderedRow) => checkOrdered(registry, row)),
    ...casesOf(file, 'effective_type_cases', (row: EffectiveTypeRow) => checkEffectiveType(registry, row)),
    { name: 'derived_sets', run: () => checkSets(registry, derivedSetsOf(file)) },
  ]
}

/** Value cases without a registry of their own, judged by the seed. */
export function plainValueCases(file: unknown): readonly VectorCase[] {
  const registry = buildRegistry(seedRows)
  // Their `boolean` is a type that no registry carries.
  return casesOf(file, 'cases', (row: PlainRow) => checkPlain(registry, row)).filter(
    ({ name }) => !name.startsWith('cases: boolean_'),
  )
}

function rowsOf(file: unknown, list: string): readonly unknown[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- vector files are documented; another shape fails the cases
  return (file as Readonly<Record<string, readonly unknown[]>>)[list] ?? []
}

function derivedSetsOf(file: unknown): SetsRow {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- vector files are documented; another shape fails the cases
  return (file as { readonly derived_sets: SetsRow }).derived_sets
}

interface PlainRow extends Named {
  readonly type: string
  readonly value: string
  readonly options?: readonly string[]
  readonly valid: boolean
}

function checkPlain(registry: Registry, { type, value, options, valid }: PlainRow): void {
  mustEqual(validateValue(registry, type, value, { options }).ok, valid)
}

interface ValueRow extends Named {
  readonly type: string
  readonly value: string
  readonly options?: readonly string[]
  readonly problems: readonly ValueProblem[]
}

function checkValue(registry: Registry, { type, value, options, problems }: ValueRow): void {
  mustEqual(problemsOf(validateValue(registry, type, value, { options })), problems)
}

interface WriteRow extends ValueRow {
  readonly max_mb?: number
}

function checkWrite(registry: Registry, { type, value, options, max_mb, problems }: WriteRow): void {
  mustEqual(problemsOf(validateWrite(registry, type, value, { options, maxMb: max_mb })), problems)
}

function problemsOf(verdict: Verdict): readonly ValueProblem[] {
  return verdict.ok ? [] : verdict.refusal
}

interface ResolveRow extends Named {
  readonly type: string
  readonly resolved: unknown
}

function checkResolved(registry: Registry, { type, resolved }: ResolveRow): void {
  mustEqual(resolveType(registry, type), resolved)
}

interface AcceptsRow extends Named {
  readonly requested: string
  readonly actual: string
  readonly accepts: boolean
}

function checkAccepts(registry: Registry, row: AcceptsRow): void {
  mustEqual(accepts(registry, row.requested, row.actual), row.accepts)
}

interface OrderedRow extends Named {
  readonly types: readonly string[]
  readonly ordered: readonly string[]
}

function checkOrdered(registry: Registry, { types, ordered }: OrderedRow): void {
  mustEqual(orderTypes(registry, types), ordered)
  mustEqual(orderTypes(registry, types.toReversed()).toSorted(), ordered.toSorted())
}

interface EffectiveTypeRow extends Named {
  readonly type: string
  readonly effective_type: string
}

function checkEffectiveType(registry: Registry, { type, effective_type }: EffectiveTypeRow): void {
  mustEqual(effectiveType(registry, type), effective_type)
}

interface SetsRow {
  readonly requestable_types: readonly string[]
  readonly flow_types: readonly string[]
  readonly claimable_types: readonly string[]
  readonly binary_types?: readonly string[]
  readonly envelope_types?: readonly string[]
}

function checkSets(registry: Registry, sets: SetsRow): void {
  const binary = flowTypes(registry).filter((type) => isBinary(resolveType(registry, type)))
  const envelopes = binary.filter((type) => clearAnswerForm(resolveType(registry, type)) === 'envelope')
  mustEqual(requestableTypes(registry).toSorted(), sets.requestable_types.toSorted())
  mustEqual(flowTypes(registry).toSorted(), sets.flow_types.toSorted())
  mustEqual(claimableTypes(registry).toSorted(), sets.claimable_types.toSorted())
  if (sets.binary_types !== undefined) mustEqual(binary.toSorted(), sets.binary_types.toSorted())
  if (sets.envelope_types !== undefined) mustEqual(envelopes.toSorted(), sets.envelope_types.toSorted())
}

interface OperatorRow extends Named {
  readonly rows: readonly unknown[]
  readonly problems: readonly unknown[]
}

function checkOperator(registry: Registry, { rows, problems }: OperatorRow): void {
  const checked = checkOperatorRows(registry, rows)
  mustEqual(checked.ok ? [] : checked.refusal, problems)
}

interface PatternRow extends Named {
  readonly pattern: string
  readonly refused: string | null
  readonly matches: readonly string[]
  readonly differs: readonly string[]
}

function checkPattern({ pattern, refused, matches, differs }: PatternRow): void {
  const compiled = compilePattern(pattern)
  if (!compiled.ok) return mustEqual(compiled.refusal, refused)
  mustEqual(null, refused)
  for (const text of matches) mustEqual([text, compiled.value.matches(text)], [text, true])
  for (const text of differs) mustEqual([text, compiled.value.matches(text)], [text, false])
}

interface NormalisedRow extends Named {
  readonly type: string
  readonly value: string
  readonly normalised: string
}

function checkNormalised(registry: Registry, { type, value, normalised }: NormalisedRow): void {
  mustEqual(normaliseValue(registry, type, value), normalised)
}

interface AttestationRow extends Named {
  readonly value: unknown
  readonly max_age_days: number | null
  readonly now: string
  readonly attested: boolean
  readonly meets_row: boolean
}

function checkAttestation({ value, max_age_days, now, attested, meets_row }: AttestationRow): void {
  const at = parseInstant(now)
  if (at === null) throw new Error(`"now" is not a timestamp: ${now}`)
  const attestation = readAttestation(value, at)
  mustEqual(attestation !== null, attested)
  mustEqual(meetsVerifiedRow(attestation, max_age_days, at), meets_row)
}

interface PlaceOfBirthRow extends Named {
  readonly text: string
  readonly place: { readonly city: string; readonly country: string } | null
}

function checkPlaceOfBirth({ text, place }: PlaceOfBirthRow): void {
  mustEqual(parsePlaceOfBirth(text), place)
  if (place !== null) mustEqual(formatPlaceOfBirth(place), text)
}
