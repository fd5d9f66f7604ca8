import type { PluginField } from '../forwarder/plugin-field.ts'
import type { CallOptions } from '../options.ts'
import type { FlowAnswers } from './answer.ts'
import type { FlowRun } from './run.ts'
import type { FlowStep } from './step.ts'

/** Answers by the key of the step, then by the slug of the field. */
export type TurnAnswers = Readonly<Record<string, FlowAnswers>>

/**
 * A turn that is filled in: the present step, and the steps after it that belong to the same party. They are evaluated on
 * this side and sent together, so that a person can go back among them; the platform takes no answer back.
 */
export interface FlowTurn {
  /** As it was when the turn began. */
  readonly run: FlowRun
  /**
   * The steps that these answers lead to, in their order. The last one has problems, or leads to another party, to the end,
   * or to a step with a plugin field, which only the present step of a run can have a pass for. Sends nothing.
   */
  steps(answers?: TurnAnswers): Promise<readonly FlowStep[]>
  /** Opens a plugin field of the present step; give it back as `{plugin: field}`. */
  plugin(slug: string, answers?: TurnAnswers, options?: CallOptions): Promise<PluginField>
  /**
   * Sends all steps, each with copies for every participant. May be called again after a failure: steps that have arrived
   * are not sent again. Throws a `FlowError` when the run is not the one that the turn began with.
   */
  send(answers: TurnAnswers, options?: CallOptions): Promise<FlowRun>
}
