import type { Condition, Expression } from './syntax.ts'

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
