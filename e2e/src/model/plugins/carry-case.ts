import { isDeepStrictEqual } from 'node:util'
import { type FlowAnswers, isSealpostError, PluginError, type PluginField } from '@sealpost/sdk'
import { waitUntil } from '@sealpost/testkit'
import { openDice } from '@sealpost/testkit/dice'
import type { Counts } from '../flows/counts.ts'
import { Mismatch } from '../flows/mismatch.ts'
import type { CarryingSite } from './carrying-site.ts'
import { BLOCK } from './probe.ts'
import { type PluginCase, randomCase } from './random-case.ts'
import { expectInputs } from './reference.ts'
import { PLUGIN_SLUG, writeDefinition } from './write-definition.ts'

const SOON = { pollSeconds: 0.05 }
const ARRIVAL_MS = 60_000

/** Plays a case with the SDK up to its plugin, and compares what the plugin was sent with the reference. */
export async function carryCase(site: CarryingSite, seed: number, counts: Counts): Promise<void> {
  const one = randomCase(openDice(seed))
  site.setClock()
  const flowId = await site.publish(writeDefinition(one, { plugin_id: site.pluginId, field_type: one.probe }))
  const targets = { customer: { connection_id: site.connectionId } }
  const { id, reference_date: today } = await site.company.flows.start(flowId, { targets }, site.key)
  const field = await playTo(site, one, id)
  const expected = expectInputs(one, true, today)
  if (expected.inputs === null) await mustRefuse(field)
  else await field.options(BLOCK)
  const { raw, questions } = await site.plugin.taken()
  if (expected.inputs === null) {
    if (questions.length > 0)
      throw new Mismatch(`a question was sent without its required input: ${JSON.stringify(one)}`)
    counts.add('unanswerable')
  } else {
    const sent = inputsOf(questions)
    if (!isDeepStrictEqual(sent, expected.inputs))
      throw new Mismatch(
        `sent ${JSON.stringify(sent)}, expected ${JSON.stringify(expected.inputs)}: ${JSON.stringify(one)}`,
      )
    counts.add('questions')
  }
  for (const text of expected.withheld)
    if (`${raw}${questions.join('')}`.includes(text))
      throw new Mismatch(`${text} reached the plugin: ${JSON.stringify(one)}`)
  for (const kind of expected.kinds) counts.add(kind)
  counts.add('withheld texts', expected.withheld.length)
  counts.add('carried')
}

/** Answers the steps before the last one, and opens the plugin field there. */
async function playTo(site: CarryingSite, one: PluginCase, id: string): Promise<PluginField> {
  const { company, person, key, connectionId } = site
  const run = { id, connection_id: connectionId }
  await waitUntil('the run has arrived', ARRIVAL_MS, () => hasArrived(site, id))
  const last = one.parties.length - 1
  for (const [step, party] of one.parties.entries()) {
    const answers = answersOf(one, step)
    if (party === 'us') {
      await company.flows.waitForTurn(id, SOON)
      if (step === last) return company.flows.plugin(id, PLUGIN_SLUG, key, answers)
      await company.flows.answer(id, answers, key)
    } else {
      await person.flows.waitForTurn(run, SOON)
      if (step === last) return person.flows.plugin(run, PLUGIN_SLUG, answers)
      await person.flows.answer(run, answers)
    }
  }
  throw new Error('the case has no steps')
}

async function hasArrived({ person, connectionId }: CarryingSite, id: string): Promise<boolean> {
  try {
    await person.flows.get(connectionId, id)
    return true
  } catch (error) {
    if (isSealpostError(error, 'flows.run_not_found')) return false
    throw error
  }
}

function answersOf({ answers }: PluginCase, step: number): FlowAnswers {
  const given = answers.flatMap(({ slug, step: own, given: value, isPrivate }) =>
    own === step && value !== null ? [[slug, { value, private: isPrivate }] as const] : [],
  )
  return Object.fromEntries(given)
}

async function mustRefuse(field: PluginField): Promise<void> {
  try {
    await field.options(BLOCK)
  } catch (error) {
    if (error instanceof PluginError && error.reason === 'inputs_missing') return
    throw error
  }
  throw new Mismatch('a field without its required input was asked')
}

function inputsOf(questions: readonly string[]): unknown {
  const [first, ...others] = questions.map((text): unknown => JSON.parse(text))
  if (others.length > 0) throw new Mismatch(`${questions.length} questions for one call`)
  return typeof first === 'object' && first !== null && 'inputs' in first ? first.inputs : undefined
}
