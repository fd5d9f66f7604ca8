import type { Answers } from './answers.ts'
import { dependencyOrder, type DependencyOrder } from './dependency-order.ts'
import { evaluateExpression, MAX_JOINED_LENGTH } from './evaluate-expression.ts'
import { keysReadByExpression } from './keys-read.ts'
import { expandPluginAnswers } from './plugin-answers.ts'
import { isRawObject, rawList } from './raw.ts'

/**
 * The answers, plugin answers expanded, and the value of every constant. Each is computed once, after its dependencies;
 * a cycle is cut where it closes, and reads null there. Accepts unparsed constants.
 */
export function computeConstants(
  constants: unknown,
  answers: Answers,
  referenceDate: string,
  pluginSlugs: Iterable<string> = [],
): Answers {
  const expressions = expressionsByKey(constants)
  const values = new Map(expandPluginAnswers(answers, pluginSlugs))
  // Where a cycle is cut, the constant reads as null, not as an answer that happens to have its key.
  for (const key of expressions.keys()) values.set(key, null)
  const budget = { left: MAX_JOINED_LENGTH }
  for (const key of constantOrder(expressions).order) {
    values.set(key, evaluateExpression(expressions.get(key), values, referenceDate, budget))
  }
  return values
}

/** The first of several constants with the same key counts; publishing refuses the others. */
export function expressionsByKey(constants: unknown): ReadonlyMap<string, unknown> {
  const expressions = new Map<string, unknown>()
  for (const constant of rawList(constants)) {
    if (!isRawObject(constant)) continue
    const { key, expr } = constant
    if (typeof key === 'string' && !expressions.has(key)) expressions.set(key, expr)
  }
  return expressions
}

/** By constant key; `cut` names the references that close a cycle. */
export function constantOrder(expressions: ReadonlyMap<string, unknown>): DependencyOrder<string> {
  return dependencyOrder(expressions.keys(), (key) =>
    keysReadByExpression(expressions.get(key)).filter((read) => expressions.has(read)),
  )
}
