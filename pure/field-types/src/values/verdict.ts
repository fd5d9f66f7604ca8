import { accept, decline, type Result } from '@sealpost/kernel'
import type { Problem } from '../problem.ts'
import type { ValueReason } from './value-reasons.ts'

export type ValueProblem = Problem<ValueReason>

/** Nothing to say, or what is wrong, in the order in which it was judged. */
export type Verdict = Result<null, readonly ValueProblem[]>

// A hostile object may have a million unknown members; nobody reads more of them than this.
const PROBLEMS_MAX = 100

export function verdictOf(problems: readonly ValueProblem[]): Verdict {
  return problems.length === 0 ? accept(null) : decline(problems.slice(0, PROBLEMS_MAX))
}
