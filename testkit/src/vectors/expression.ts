import {
  answersFrom,
  boundRefuses,
  computeConstants,
  type DefaultedKind,
  evaluateCondition,
  evaluateExpression,
  type ExpressionProblem,
  formatPath,
  inferType,
  isPrivateKey,
  nextDraft,
  numberText,
  parseCondition,
  parseExpression,
  printCondition,
  printExpression,
  readPluginInput,
  roundHalfAway,
  type ValueType,
} from '@sealpost/expression'
import type { Result } from '@sealpost/kernel'
import type { VectorCase } from '../vector-case.ts'
import { casesOf, mustEqual, type Named } from './reading.ts'

type Values = Readonly<Record<string, unknown>>
type Refused = { readonly reason: string; readonly path: string }

/** `vectors/expressions.json` */
export function expressionCases(file: unknown): readonly VectorCase[] {
  return [
    ...casesOf(file, 'evaluation', checkEvaluation),
    ...casesOf(file, 'constants', checkConstants),
    ...casesOf(file, 'parsing', checkParsing),
    ...casesOf(file, 'sizes', checkSize),
    ...casesOf(file, 'types', checkType),
    ...casesOf(file, 'rounding', checkRounding),
    ...casesOf(file, 'defaults', checkDefault),
    ...casesOf(file, 'bounds', checkBound),
    ...casesOf(file, 'privacy', checkPrivacy),
    ...casesOf(file, 'plugin_inputs', checkPluginInput),
  ]
}

/** `vectors/conditions.json` */
export function conditionCases(file: unknown): readonly VectorCase[] {
  return [...casesOf(file, 'evaluation', checkCondition), ...casesOf(file, 'parsing', checkConditionParsing)]
}

/** A file of the shape `{cases: [{name, condition, answers, expect}]}`. */
export function plainConditionCases(file: unknown): readonly VectorCase[] {
  return casesOf(file, 'cases', checkCondition)
}

/** A file of the shape `{cases: [{name, constants, answers, reference_date, plugin_slugs?, expect}]}`. */
export function plainConstantCases(file: unknown): readonly VectorCase[] {
  return casesOf(file, 'cases', checkConstants)
}

interface EvaluationRow extends Named {
  readonly expression: unknown
  readonly answers: Values
  readonly reference_date: string
  readonly expect: unknown
}

function checkEvaluation({ expression, answers, reference_date, expect }: EvaluationRow): void {
  mustEqual(evaluateExpression(expression, answersFrom(answers), reference_date), expect)
}

interface ConstantsRow extends Named {
  readonly constants: unknown
  readonly answers: Values
  readonly reference_date: string
  readonly plugin_slugs?: readonly string[]
  readonly expect: Values
}

function checkConstants({ constants, answers, reference_date, plugin_slugs = [], expect }: ConstantsRow): void {
  const values = computeConstants(constants, answersFrom(answers), reference_date, plugin_slugs)
  const compared = Object.keys(expect).map((key) => [key, values.get(key) ?? null])
  mustEqual(Object.fromEntries(compared), expect)
}

interface ConditionRow extends Named {
  readonly condition: unknown
  readonly answers: Values
  readonly expect: boolean
}

function checkCondition({ condition, answers, expect }: ConditionRow): void {
  mustEqual(evaluateCondition(condition, answersFrom(answers)), expect)
}

/** `prints` if it can be parsed, otherwise `refused`. */
interface ParsingRow extends Named {
  readonly prints?: string
  readonly refused?: Refused
}

function checkParsing({ expression, ...row }: ParsingRow & { readonly expression: unknown }): void {
  checkParsed(row, parseExpression(expression), printExpression)
}

function checkConditionParsing({ condition, ...row }: ParsingRow & { readonly condition: unknown }): void {
  checkParsed(row, parseCondition(condition), printCondition)
}

function checkParsed<T>(
  { prints, refused }: ParsingRow,
  parsed: Result<T, ExpressionProblem>,
  print: (value: T) => string,
): void {
  if (!parsed.ok) return mustEqual(refusal(parsed.refusal), refused)
  mustEqual(print(parsed.value), prints)
}

interface SizeRow extends Named {
  readonly levels?: number
  readonly condition_levels?: number
  readonly parts?: number
  readonly accepted: boolean
}

function checkSize({ levels = 1, condition_levels = 0, parts, accepted }: SizeRow): void {
  const parsed = parseExpression(parts === undefined ? tower(levels, condition_levels) : rowOf(parts))
  mustEqual(parsed.ok ? null : parsed.refusal.reason, accepted ? null : 'too_deep')
}

/** `levels` expressions inside each other; with conditions the innermost is an `if` that holds so many of them. */
function tower(levels: number, conditionLevels: number): unknown {
  const zero = { type: 'lit', value_type: 'number', value: 0 }
  let when: unknown = { field: 'a', op: 'answered' }
  for (let level = 1; level < conditionLevels; level += 1) when = { op: 'not', children: [when] }
  let expression: unknown = zero
  // oxlint-disable-next-line unicorn/no-thenable -- the wire's name of the branch; it is data and never awaited
  if (conditionLevels > 0) expression = { type: 'if', cases: [{ when, then: zero }], else: zero }
  for (let level = 1; level < levels; level += 1) expression = { type: 'math', op: 'neg', args: [expression] }
  return expression
}

/** One concat and its operands, `parts` nodes together. */
function rowOf(parts: number): unknown {
  return { type: 'concat', parts: Array.from({ length: parts - 1 }, () => ({ type: 'today' })) }
}

interface TypeRow extends Named {
  readonly expression: unknown
  readonly types: Readonly<Record<string, ValueType | 'composite'>>
  readonly type?: ValueType
  readonly refused?: Refused
}

function checkType({ expression, types, type, refused }: TypeRow): void {
  const parsed = parseExpression(expression)
  if (!parsed.ok) throw new Error(parsed.refusal.message)
  const known = new Map(Object.entries(types))
  const inferred = inferType(parsed.value, (key) => known.get(key) ?? null)
  if (!inferred.ok) return mustEqual(refusal(inferred.refusal), refused)
  mustEqual(inferred.value, type)
}

interface RoundingRow extends Named {
  readonly value: number
  readonly decimals: number
  readonly expect: number
  readonly text: string
}

function checkRounding({ value, decimals, expect, text }: RoundingRow): void {
  const rounded = roundHalfAway(value, decimals)
  mustEqual(rounded, expect)
  mustEqual(numberText(rounded), text)
}

interface DefaultRow extends Named {
  readonly draft: { readonly value: string; readonly written: string | null; readonly is_linked: boolean }
  readonly default: unknown
  readonly kind: DefaultedKind
  readonly expect: { readonly value: string; readonly written: string | null }
}

function checkDefault({ draft, default: defaultValue, kind, expect }: DefaultRow): void {
  const before = { value: draft.value, written: draft.written, isLinked: draft.is_linked }
  const { value, written } = nextDraft(before, defaultValue, kind)
  mustEqual({ value, written }, expect)
}

interface BoundRow extends Named {
  readonly side: 'min' | 'max'
  readonly bound: unknown
  readonly value: unknown
  readonly refuses: boolean
}

function checkBound({ side, bound, value, refuses }: BoundRow): void {
  mustEqual(boundRefuses(side, bound, value), refuses)
}

interface PrivacyRow extends Named {
  readonly key: string
  readonly constants: Values
  readonly drafts: Values
  readonly private_slugs: readonly string[] | null
  readonly own_slugs: readonly string[]
  readonly private: boolean
}

function checkPrivacy(row: PrivacyRow): void {
  const view = {
    constants: answersFrom(row.constants),
    drafts: answersFrom(row.drafts),
    privateSlugs: row.private_slugs === null ? null : new Set(row.private_slugs),
    privateDrafts: new Set<string>(),
    ownSlugs: new Set(row.own_slugs),
  }
  mustEqual(isPrivateKey(row.key, view), row.private)
}

interface PluginInputRow extends Named {
  readonly type: ValueType
  readonly value: unknown
  readonly is_wired: boolean
  readonly is_private: boolean
  readonly expect?: unknown
  readonly refusal?: string
}

function checkPluginInput(row: PluginInputRow): void {
  const read = readPluginInput(
    { key: 'input', type: row.type, required: true },
    {
      wiring: new Map(row.is_wired ? [['input', 'source']] : []),
      answers: answersFrom({ source: row.value }),
      isPrivate: () => row.is_private,
    },
  )
  if (!read.ok) return mustEqual(read.refusal, row.refusal)
  mustEqual(read.value, row.expect)
}

function refusal({ reason, path }: ExpressionProblem): Refused {
  return { reason, path: formatPath(path) }
}
