import { accept, decline, type Result } from '@sealpost/kernel'
import type { Problem } from '../problem.ts'
import type { ValueReason } from './value-reasons.ts'

export type ValueProblem = Problem<ValueReason>

/** Valid, or the problems in the order of the rules. */
export type Verdict = Result<null, readonly ValueProblem[]>

// A hostile object may have a million unknown members; more problems than this are of no use.
const PROBLEMS_MAX = 100

export function verdictOf(problems: readonly ValueProblem[]): Verdict {
  return problems.length === 0 ? accept(null) : decline(problems.slice(0, PROBLEMS_MAX))
}
