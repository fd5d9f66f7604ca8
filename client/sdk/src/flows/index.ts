/** `@sealpost/sdk/flows`: the rules of a flow as every client of a run applies them, without a call. */
export { FlowError, type FlowRefusal, type StepProblem } from './flow-error.ts'
export type { OpenedAnswer } from './opened-answer.ts'
export {
  type AnswerToSeal,
  type AnsweredUser,
  buildAnswers,
  chooseNext,
  computeConstants,
  evaluateCondition,
  type FlowValues,
  type SealedAnswers,
} from './rules.ts'
export type { FlowRun } from './run.ts'
export type { NextStep } from './step.ts'
export { valuesOf } from './open-answers.ts'
