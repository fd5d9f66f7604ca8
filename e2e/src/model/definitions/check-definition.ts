import { buildRegistry, seedRows } from '@sealpost/field-types'
import { checkForPublish, isPublishable, parseDefinition, type PublishFacts } from '@sealpost/flow'
import { openDice } from '@sealpost/testkit/dice'
import type { Counts } from '../flows/counts.ts'
import { Mismatch } from '../flows/mismatch.ts'
import { FACTS } from '../flows/names.ts'
import { randomFlow } from '../flows/random-flow.ts'
import { walkFlow } from '../flows/walk.ts'
import type { Fault } from './fault.ts'
import { faultsOf } from './faults.ts'
import { TEMPLATES } from './output-faults.ts'
import { PLUGINS } from './plugin-faults.ts'

const WALKS = 100
const TODAY = '2026-03-01'

const facts: PublishFacts = {
  types: buildRegistry(seedRows),
  requestFields: new Map<string, { type: string; audience: 'both' }>([
    ...FACTS.requestSlugs.map((slug) => [slug, { type: 'text', audience: 'both' }] as const),
    [FACTS.deedSlug, { type: 'pdf_document', audience: 'both' }],
  ]),
  plugins: PLUGINS,
  templates: TEMPLATES,
}

/** A random definition is publishable, each of 100 random runs of it ends, and each fault has its finding. */
export function checkDefinition(seed: number, counts: Counts): void {
  const dice = openDice(seed)
  const flow = randomFlow(dice, FACTS)
  const issues = findings(flow)
  if (!isPublishable(issues)) throw new Mismatch(`not publishable: ${JSON.stringify(issues)}`)
  const definition = definitionOf(flow)
  for (let turn = 0; turn < WALKS; turn += 1) {
    const { turns, end } = walkFlow(dice, { flow, definition, today: TODAY })
    counts.add('turns', turns.length)
    counts.add(`end ${end.status}`)
  }
  checkFaults(faultsOf(dice, flow), counts)
  counts.add('definitions')
}

function checkFaults(faults: readonly Fault[], counts: Counts): void {
  for (const { key, path, definition } of faults) {
    const found = findings(definition)
    const isThere = found.some((one) => one.error_key === key && isAt(one.path, path))
    if (!isThere) throw new Mismatch(`no ${key} at ${path}: ${JSON.stringify(found)}`)
    counts.add(`found ${key}`)
  }
}

function isAt(found: string, path: string): boolean {
  return path.endsWith('*') ? found.startsWith(path.slice(0, -1)) : found === path
}

function findings(written: unknown) {
  return checkForPublish(definitionOf(written), facts)
}

function definitionOf(written: unknown) {
  const parsed = parseDefinition(written)
  if (!parsed.ok) throw new Mismatch(`not readable: ${JSON.stringify(parsed.refusal)}`)
  return parsed.value
}
