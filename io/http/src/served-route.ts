import type { BoundOperation } from './bound-operation.ts'
import type { MethodStep, Step } from './steps.ts'

/** A bound operation, how its requests are told from others, and the way that they go. */
export interface ServedRoute extends BoundOperation {
  /** The methods that a route of this operation takes: its own, and HEAD where GET only reads. */
  readonly methods: readonly string[]
  readonly matches: RegExp
  readonly steps: readonly Step[]
  readonly judgeMethod: MethodStep | null
}
