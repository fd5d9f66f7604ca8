/** The trees of the wire after parsing; the evaluators also accept unparsed ones. */

export const VALUE_TYPES = ['number', 'text', 'date', 'boolean'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

export const MATH_OPS = [
  'add',
  'sub',
  'mul',
  'div',
  'mod',
  'round',
  'floor',
  'ceil',
  'abs',
  'neg',
  'max',
  'min',
] as const
export type MathOp = (typeof MATH_OPS)[number]

export const DATE_UNITS = ['days', 'weeks', 'months', 'years'] as const
export type DateUnit = (typeof DATE_UNITS)[number]

export type Literal =
  | { readonly type: 'lit'; readonly value_type: 'number'; readonly value: number }
  | { readonly type: 'lit'; readonly value_type: 'text'; readonly value: string }
  | { readonly type: 'lit'; readonly value_type: 'date'; readonly value: string }
  | { readonly type: 'lit'; readonly value_type: 'boolean'; readonly value: boolean }

export interface Case {
  /** null: always. */
  readonly when: Condition | null
  readonly then: Expression
}

export type Expression =
  | Literal
  | { readonly type: 'ref'; readonly key: string }
  | { readonly type: 'today' }
  | { readonly type: 'if'; readonly cases: readonly Case[]; readonly else: Expression }
  | { readonly type: 'concat'; readonly parts: readonly Expression[]; readonly sep: string }
  | { readonly type: 'datediff'; readonly unit: DateUnit; readonly from: Expression; readonly to: Expression }
  | { readonly type: 'math'; readonly op: MathOp; readonly args: readonly Expression[] }

export const GROUP_OPS = ['and', 'or', 'not'] as const
export const COMPARISON_OPS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'contains', 'not_contains'] as const
export const LIST_OPS = ['in', 'nin'] as const
export const PRESENCE_OPS = ['answered', 'empty'] as const

export type GroupOp = (typeof GROUP_OPS)[number]
export type ComparisonOp = (typeof COMPARISON_OPS)[number]
export type ListOp = (typeof LIST_OPS)[number]
export type PresenceOp = (typeof PRESENCE_OPS)[number]

export type Scalar = string | number | boolean | null

export type ConditionLeaf =
  | { readonly field: string; readonly op: ComparisonOp; readonly value: Scalar }
  | { readonly field: string; readonly op: ListOp; readonly value: readonly Scalar[] }
  | { readonly field: string; readonly op: PresenceOp }

export interface ConditionGroup {
  readonly op: GroupOp
  readonly children: readonly Condition[]
}

export type Condition = ConditionGroup | ConditionLeaf

export interface Constant {
  readonly key: string
  /** Empty where the author gave none: the key is shown instead. */
  readonly label: string
  readonly result_type: ValueType
  readonly expr: Expression
  /** Keys of the steps that show the value; empty when it is used inside the flow only. */
  readonly shown_on: readonly string[]
}

/** The language's members, in the order in which they are printed. */
const MEMBERS = 'type op value_type unit key field value children cases when then else parts sep from to args'.split(
  ' ',
)

/**
 * Canonical JSON: members in a fixed order, and no unknown ones. Two expressions are the same tree exactly when they
 * print alike; parsing the printed text gives that tree again.
 */
export function printExpression(expression: Expression): string {
  return JSON.stringify(expression, MEMBERS)
}

export function printCondition(condition: Condition | null): string {
  return JSON.stringify(condition, MEMBERS)
}
