import { evaluateCondition as evaluate } from '@sealpost/expression'
import { chooseNext as choose, runValues } from '@sealpost/flow/run'
import { PublicKey } from '../keys/public-key.ts'
import type { AnswerRunBody } from '../shapes.generated.ts'
import { nextStep } from './describe-step.ts'
import { pinnedDefinition } from './pinned-definition.ts'
import type { FlowRun } from './run.ts'
import { answerItems, sealAnswers } from './seal-answers.ts'
import type { NextStep } from './step.ts'

/** Values by key: slugs of answers, `slug.output` of plugin fields, constants. `valuesOf` makes them of opened answers. */
export type FlowValues = ReadonlyMap<string, unknown>

type RunRules = Pick<FlowRun, 'id' | 'definition' | 'reference_date'>

/** The values with those of plugin fields by their outputs, and with every constant of the flow. */
export function computeConstants(run: RunRules, answers: FlowValues): FlowValues {
  return runValues(pinnedDefinition(run), answers, run.reference_date)
}

/** Whether a condition of the definition holds. One that is missing holds; never throws. */
export function evaluateCondition(condition: unknown, values: FlowValues): boolean {
  return evaluate(condition, values)
}

/** The step after this one: by the first edge that holds. `values` include the constants. */
export function chooseNext(run: RunRules, step: string, values: FlowValues): NextStep {
  const definition = pinnedDefinition(run)
  return nextStep(definition, choose(definition, step, values))
}

/** A user who gets a copy of every answer. */
export interface AnsweredUser {
  readonly userId: string
  /** base64 of a DER SubjectPublicKeyInfo, from `keys` of a client, which pins it. */
  readonly publicKey: string
}

export interface AnswerToSeal {
  readonly slug: string
  readonly text: string
  /** It is derived from something private, and no plugin of another party may get it. */
  readonly private?: boolean
  /** The profile field that it is linked to. */
  readonly sourceFieldId?: string
}

export type SealedAnswers = AnswerRunBody['answers']

/** The member `answers` of a submit: one copy of each answer for each user. Files are not among them. */
export async function buildAnswers(
  answers: readonly AnswerToSeal[],
  users: readonly AnsweredUser[],
): Promise<SealedAnswers> {
  const recipients = await Promise.all(
    users.map(async ({ userId, publicKey }) => ({ userId, key: await PublicKey.import(publicKey) })),
  )
  const drafts = answers.map(({ slug, text, private: isPrivate = false, sourceFieldId = null }) => ({
    slug,
    text,
    isFile: false,
    isPrivate,
    sourceFieldId,
  }))
  return answerItems(await sealAnswers(drafts, recipients), () => Promise.reject(new TypeError('no answer is a file')))
}
