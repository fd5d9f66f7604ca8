import { answersFrom } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { propertyRuns } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkAdvance,
  checkForPublish,
  chooseNext,
  chooseOutputs,
  importFlow,
  parseDefinition,
  runValues,
  describeTurn,
  turnProblems,
  type Definition,
  type PublishFacts,
} from './index.ts'

const facts: PublishFacts = {
  types: buildRegistry(seedRows),
  requestFields: new Map([['copy', { type: 'pdf_document', audience: 'both' }]]),
  plugins: new Map(),
  templates: new Map([['template', ['a', 'b']]]),
}
const TODAY = '2026-03-01'

const OPTIONAL = new Set([
  'type',
  'show_if',
  'options',
  'default',
  'max',
  'outputs',
  'language_party',
  'snapshot',
  'asset_key',
  'source_field',
  'source_connection',
  'signers',
])

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'sum', 'a.x', '__proto__', 'constructor', '')
const nodeKey = fc.constantFrom('n0', 'n1', 'n2', 'n3', 'n4')
const scalar = fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean(), fc.constant(null))
const op = fc.constantFrom('eq', 'ne', 'lt', 'ge', 'in', 'answered', 'empty', 'contains', 'nonsense')
const { condition, expression } = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.record({ field: key, op, value: fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })) }),
    fc.record({ op: fc.constantFrom('and', 'or', 'not'), children: fc.array(tie('condition'), { maxLength: 2 }) }),
  ),
  expression: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constant('ref'), key }),
    fc.constant({ type: 'lit', value_type: 'number', value: 7 }),
    fc.constant({ type: 'today' }),
    fc.record({
      type: fc.constant('math'),
      op: fc.constantFrom('add', 'neg', 'odd'),
      args: fc.array(tie('expression'), { maxLength: 2 }),
    }),
    fc.record({ type: fc.constant('concat'), parts: fc.array(tie('expression'), { maxLength: 2 }) }),
  ),
}))

/** Mostly of the right shape, but any part may be any JSON. */
const anyDefinition = sometimes({
  entry: nodeKey,
  output_mode: fc.constantFrom('data_only', 'document'),
  parties: fc.array(sometimes({ key: fc.constantFrom('us', 'them', 'a'), label: fc.string(), type: partyType() })),
  nodes: fc.array(
    sometimes({
      key: nodeKey,
      party: fc.constantFrom('us', 'them', 'unknown'),
      elements: fc.array(anyElement(), { maxLength: 4 }),
      language_party: fc.constantFrom('us', 'unknown'),
      outputs: fc.array(anyOutput(), { maxLength: 2 }),
    }),
    { maxLength: 5 },
  ),
  edges: fc.array(sometimes({ from: nodeKey, to: nodeKey, sort: fc.integer(), condition }), { maxLength: 8 }),
  constants: fc.array(
    sometimes({
      key,
      result_type: fc.constantFrom('number', 'text', 'date', 'other'),
      expr: expression,
      shown_on: fc.array(nodeKey, { maxLength: 2 }),
    }),
    { maxLength: 4 },
  ),
  format_version: fc.constant(1),
  name: fc.string(),
})

test('no JSON makes the parser, the importer, the checker or the router throw', { timeout: 1_200_000 }, () => {
  let read = 0
  const tried = fc.oneof({ weight: 9, arbitrary: anyDefinition }, { weight: 1, arbitrary: fc.jsonValue() })
  fc.assert(
    fc.property(tried, fc.dictionary(key, scalar), (written, answers) => {
      importFlow(written)
      const parsed = parseDefinition(written)
      if (!parsed.ok) return
      read += 1
      runEverywhere(parsed.value, answers)
    }),
    { numRuns: propertyRuns() },
  )
  expect(read).toBeGreaterThan(propertyRuns() / 10)
})

function runEverywhere(definition: Definition, answers: Record<string, unknown>): void {
  checkForPublish(definition, facts)
  const values = runValues(definition, answersFrom(answers), TODAY)
  for (const node of definition.nodes) {
    chooseNext(definition, node.key, values)
    checkAdvance(definition, node.key, { leaf: true })
    checkAdvance(definition, node.key, answers)
    chooseOutputs(definition, node, { values, language: 'en', isHeld: () => true })
    const turn = describeTurn(definition, node.key, { answers: answersFrom(answers), referenceDate: TODAY })
    if (turn !== null) turnProblems(turn)
  }
}

function anyElement(): fc.Arbitrary<unknown> {
  return sometimes({
    kind: fc.constantFrom('field', 'field', 'field', 'text', 'image', 'plugin', 'video'),
    slug: key,
    field_type: fc.constantFrom('text', 'number', 'date', 'select', 'pdf_document', 'address', 'nothing'),
    body: fc.constantFrom('{{a}}', '[a href=x]y[/a]', '{{us.copy}}', '{{a.x}} [b]'),
    asset_key: fc.constant('picture'),
    show_if: condition,
    options: fc.array(sometimes({ value: fc.string({ maxLength: 2 }), available_if: condition }), { maxLength: 2 }),
    default: expression,
    max: expression,
    plugin: sometimes({
      plugin_id: key,
      field_type: key,
      inputs: fc.dictionary(key, key),
      snapshot: sometimes({ outputs: fc.array(sometimes({ key: fc.constant('x'), type: fc.constant('number') })) }),
    }),
  })
}

function anyOutput(): fc.Arbitrary<unknown> {
  const rule = sometimes({
    asset_key: fc.constantFrom('template', 'lost'),
    source_field: key,
    source_connection: sometimes({ party: fc.constantFrom('us', 'them'), request_slug: fc.constant('copy') }),
    condition,
    languages: fc.oneof(fc.constant('all'), fc.array(fc.constantFrom('en', 'de-AT'))),
    signers: fc.array(sometimes({ party: fc.constantFrom('us', 'them'), action: fc.constantFrom('sign', 'stamp') })),
  })
  return sometimes({ output_key: key, name: fc.string(), rules: fc.array(rule, { maxLength: 3 }) })
}

function partyType(): fc.Arbitrary<unknown> {
  return fc.constantFrom('owner', 'person', 'company', undefined)
}

/** The record, with members missing at times; one time in forty something else altogether. */
function sometimes(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const most = fc.record(members, { requiredKeys: Object.keys(members).filter((name) => !OPTIONAL.has(name)) })
  return fc.oneof({ weight: 39, arbitrary: most }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })
}
