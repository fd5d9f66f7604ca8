import type { ValueProblem } from '../values/field-types.ts'

const sentences = {
  not_your_turn: 'It is the turn of another party of the run: wait with waitForTurn, or for the event flow_run_turn',
  not_awaiting: 'The run waits for no answers: it is over, or its documents are being made or signed',
  answers_invalid: 'The answers do not fit the step; `problems` says what to change',
  definition_unreadable: 'This version of the SDK cannot read the definition of the flow: update the SDK',
  answer_unreadable: 'An earlier answer cannot be opened, so the next step cannot be chosen: check the key',
  no_next_step: 'No edge of the step holds, and the run may not end there: cancel the run and correct the flow',
  not_generating: 'The run has no documents to make: its last step is not answered, or it is over',
  not_the_generator: 'The party that answered the last step makes the documents: it is not this one',
  run_changed: 'The run is not the one that was shown: its definition or who takes part has changed. Nothing was sent',
  answered_already: 'The step was answered already, here or on another device. Nothing was sent',
  key_missing: 'The platform has no public key of a participant of the run, whose account may be deleted',
} as const

export type FlowRefusal = keyof typeof sentences

/** The reason why an answer of a step cannot be submitted. */
export interface StepProblem {
  readonly slug: string
  readonly reason:
    | 'missing'
    | 'option_closed'
    | 'below_min'
    | 'above_max'
    | 'type_not_accepted'
    | 'value_invalid'
    | 'link_required'
    | 'link_not_allowed'
    | 'verification_required'
    | 'picks_invalid'
  readonly sentence: string
  /** Set for `value_invalid`: the place in the value, and a key to translate. */
  readonly value?: ValueProblem
}

/** A turn was refused on this side. Nothing was sent. Switch on `reason`. */
export class FlowError extends Error {
  override readonly name = 'FlowError'
  readonly reason: FlowRefusal
  /** Set for `answers_invalid`. */
  readonly problems: readonly StepProblem[]

  /** `subject`: the run, field or user that this is about, never a value. */
  constructor(reason: FlowRefusal, subject: string, problems: readonly StepProblem[] = []) {
    const named = problems.map(({ slug, sentence }) => `${slug}: ${sentence}`)
    super([`${sentences[reason]} (${subject}).`, ...named].join(' '))
    this.reason = reason
    this.problems = problems
  }
}
