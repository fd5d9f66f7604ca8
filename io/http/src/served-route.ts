import type { BoundOperation } from './bound-operation.ts'
import type { MethodStep, Step } from './steps.ts'

/** A bound operation, its matching rules, and its steps. */
export interface ServedRoute extends BoundOperation {
  /** The methods of a route: its own, and HEAD where GET only reads. */
  readonly methods: readonly string[]
  readonly matches: RegExp
  readonly steps: readonly Step[]
  readonly checkMethod: MethodStep | null
}
