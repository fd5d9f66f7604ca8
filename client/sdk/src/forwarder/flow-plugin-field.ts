import type { FlowAnswers } from '../flows/answer.ts'
import { FlowError } from '../flows/flow-error.ts'
import type { FlowRun } from '../flows/run.ts'
import { evaluateStep, type TurnTaker } from '../flows/take-turn.ts'
import type { CallOptions } from '../options.ts'
import type { Wire } from '../wire.ts'
import { FilledPluginField } from './filled-plugin-field.ts'
import { PluginCalls } from './plugin-calls.ts'
import type { PluginField } from './plugin-field.ts'
import type { ReadPass } from './plugin-pass.ts'
import type { PluginTrust } from './plugin-trust.ts'
import { stepInputs, stepSpec } from './step-inputs.ts'

export interface PluginStep {
  readonly run: FlowRun
  readonly taker: TurnTaker
  readonly wire: Wire
  readonly readPass: ReadPass
  readonly trust: Omit<PluginTrust, 'company'>
}

/** Opens a plugin field of the current step, with inputs from the answers so far. */
export async function openPluginField(
  { run, taker, wire, readPass, trust: given }: PluginStep,
  slug: string,
  answers: FlowAnswers,
  options: CallOptions,
): Promise<PluginField> {
  const prepared = await evaluateStep(run, withTexts(answers), taker)
  // The pinned definition says which plugin answers, and what it gets; what the pass says of that is not used.
  const [spec, inputs] = [stepSpec(prepared, slug), stepInputs(prepared, slug)]
  const trust = { ...given, company: run.company_user_id }
  return new FilledPluginField(await PluginCalls.open({ wire, readPass, trust }, options), slug, spec, inputs)
}

/** Gives the fields among these answers the present inputs, without a call. */
export async function followInputs(run: FlowRun, answers: FlowAnswers, taker: TurnTaker): Promise<FlowAnswers> {
  const fields = fieldsOf(answers)
  if (fields.length === 0) return answers
  const prepared = await evaluateStep(run, withTexts(answers), taker)
  for (const [slug, field] of fields) field.useInputs(stepInputs(prepared, slug))
  return withTexts(answers)
}

/**
 * Settles the plugin fields before a turn is sent: each gets the present inputs, and is asked again if one has changed. A
 * field may read the outputs of another one, so this is repeated until nothing changes.
 */
export async function settleFields(
  run: FlowRun,
  answers: FlowAnswers,
  taker: TurnTaker,
  options: CallOptions,
): Promise<FlowAnswers> {
  const fields = fieldsOf(answers)
  for (let left = fields.length; left > 0; left -= 1) {
    await followInputs(run, answers, taker)
    const stale = fields.filter(([, field]) => field.text === null)
    if (stale.length === 0) break
    for (const [slug, field] of stale) {
      const { kind } = await field.answer(options)
      if (kind === 'picks_invalid') throw picksInvalid(run, slug)
    }
  }
  return followInputs(run, answers, taker)
}

function fieldsOf(answers: FlowAnswers): readonly (readonly [string, FilledPluginField])[] {
  return Object.entries(answers).flatMap(([slug, answer]) =>
    answer !== null && 'plugin' in answer && answer.plugin instanceof FilledPluginField ? [[slug, answer.plugin]] : [],
  )
}

function picksInvalid({ id, current_node: step }: FlowRun, slug: string): FlowError {
  const sentence = 'The picks do not fit any more and are cleared: pick again.'
  return new FlowError('answers_invalid', `run ${id}, step ${step}`, [{ slug, reason: 'picks_invalid', sentence }])
}

/** A field without a current answer counts as not answered yet. */
function withTexts(answers: FlowAnswers): FlowAnswers {
  const entries = Object.entries(answers).flatMap(([slug, answer]) => {
    if (answer === null || !('plugin' in answer)) return [[slug, answer] as const]
    const { text } = answer.plugin
    return text === null ? [] : [[slug, { value: text }] as const]
  })
  return Object.fromEntries(entries)
}
