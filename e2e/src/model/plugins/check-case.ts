import { isDeepStrictEqual } from 'node:util'
import { describeTurn, parseDefinition, type PluginElement, pluginInputs, privacyView } from '@sealpost/flow'
import { openDice } from '@sealpost/testkit/dice'
import type { Counts } from '../flows/counts.ts'
import { Mismatch } from '../flows/mismatch.ts'
import { snapshotOf } from './probe.ts'
import { type PluginCase, randomCase } from './random-case.ts'
import { expectInputs } from './reference.ts'
import { PLUGIN_SLUG, stepKey, writeDefinition } from './write-definition.ts'

const TODAY = '2026-03-01'
const PLUGIN_ID = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607200'

/** The inputs that a client sends to a plugin are those of the reference, with and without the list of private slugs. */
export function checkCase(seed: number, counts: Counts): void {
  const one = randomCase(openDice(seed))
  for (const isListed of [true, false]) {
    const expected = expectInputs(one, isListed, TODAY)
    const sent = inputsOf(one, expected, isListed)
    if (!isDeepStrictEqual(sent, expected.inputs))
      throw new Mismatch(
        `sent ${JSON.stringify(sent)}, expected ${JSON.stringify(expected.inputs)}: ${JSON.stringify(one)}`,
      )
    for (const kind of expected.kinds) counts.add(`${kind}${isListed ? '' : ' without the list'}`)
    if (expected.inputs === null) counts.add('unanswerable')
  }
  counts.add('cases')
}

type Facts = Pick<ReturnType<typeof expectInputs>, 'texts' | 'privateSlugs' | 'privateDrafts'>

function inputsOf(one: PluginCase, { texts, privateSlugs, privateDrafts }: Facts, isListed: boolean): unknown {
  const use = { plugin_id: PLUGIN_ID, field_type: one.probe, snapshot: snapshotOf(one.probe) }
  const definition = parseDefinition(writeDefinition(one, use))
  if (!definition.ok) throw new Mismatch(`unreadable: ${JSON.stringify(definition.refusal)}`)
  const nodeKey = stepKey(one.parties.length - 1)
  const turn = describeTurn(definition.value, nodeKey, { answers: texts, referenceDate: TODAY })
  const element = turn?.elements.find((any): any is PluginElement => any.kind === 'plugin' && any.slug === PLUGIN_SLUG)
  if (turn === null || element === undefined) throw new Mismatch('the step has no plugin')
  const parties = new Set([one.parties.at(-1) ?? ''])
  const listed = isListed ? privateSlugs : null
  const view = privacyView(definition.value, { nodeKey, parties, privateSlugs: listed, privateDrafts })
  const inputs = pluginInputs(element, turn.values, view)
  return inputs.ok ? Object.fromEntries(inputs.value) : null
}
