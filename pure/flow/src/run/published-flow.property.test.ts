import { answersFrom } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { propertyRuns } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkAdvance,
  checkForPublish,
  chooseNext,
  isPublishable,
  parseDefinition,
  describeTurn,
  type Definition,
  type PublishFacts,
} from '../index.ts'

const facts: PublishFacts = {
  types: buildRegistry(seedRows),
  requestFields: new Map(),
  plugins: new Map(),
  templates: new Map([['template', []]]),
}
const TODAY = '2026-03-01'
const slug = fc.constantFrom('f0', 'f1', 'f2', 'f3')
const scalar = fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean(), fc.constant(null))

test('a publishable flow never leaves a run without a next step, and every run ends', { timeout: 1_200_000 }, () => {
  let published = 0
  fc.assert(
    fc.property(soundDefinition(), fc.array(fc.dictionary(slug, scalar), { maxLength: 6 }), (written, drafts) => {
      const parsed = parseDefinition(written)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
      if (!isPublishable(checkForPublish(parsed.value, facts))) return
      published += 1
      expectEveryRunToEnd(parsed.value, drafts)
    }),
    { numRuns: propertyRuns() },
  )
  expect(published).toBeGreaterThan(propertyRuns() / 10)
})

function expectEveryRunToEnd(definition: Definition, drafts: readonly Record<string, unknown>[]): void {
  let at = definition.entry
  for (let step = 0; step < definition.nodes.length; step += 1) {
    const answers = answersFrom(drafts[step] ?? {})
    const turn = describeTurn(definition, at, { answers, referenceDate: TODAY })
    expect(turn).not.toBeNull()
    const choice = chooseNext(definition, at, turn?.values ?? new Map())
    expect(choice.kind).not.toBe('stuck')
    const said = choice.kind === 'next' ? { next_node: choice.node } : { leaf: true }
    const advance = checkAdvance(definition, at, said)
    if (!advance.ok) throw new Error(`${at}: ${JSON.stringify(said)} is refused`)
    if (advance.value.to !== 'turn') return
    at = advance.value.node
  }
  throw new Error('the run did not end')
}

/** Steps that lead forward, existing fields, now and then an invalid condition. */
function soundDefinition(): fc.Arbitrary<unknown> {
  const way = fc.record({
    from: fc.nat(3),
    by: fc.integer({ min: 1, max: 4 }),
    sort: fc.nat(3),
    isDefault: fc.boolean(),
    field: fc.constantFrom('f0', 'f0', 'f0', 'f0', 'f0', 'f0', 'f1', 'f9'),
    value: scalar,
  })
  return fc
    .record({
      mode: fc.constantFrom('data_only', 'document'),
      isShort: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      ways: fc.array(way, { minLength: 1, maxLength: 6 }),
      hasWayOn: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      hasOutputs: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    })
    .map(({ mode, isShort, ways, hasWayOn, hasOutputs }) => ({
      entry: 'n0',
      output_mode: mode,
      parties: [{ key: 'us', label: 'Us' }],
      nodes: isShort.map((bare, place) => ({
        key: `n${place}`,
        party: 'us',
        elements: bare && place > 0 ? [] : [{ kind: 'field', slug: `f${place}`, field_type: 'text', required: true }],
        ...(hasOutputs[place] === true || place === 4 ? makingOne() : {}),
      })),
      edges: [
        ...ways.map(({ from, by, sort, isDefault, field, value }) => ({
          from: `n${from}`,
          to: `n${Math.min(4, from + by)}`,
          sort,
          condition: isDefault ? null : { field, op: 'eq', value },
        })),
        ...hasWayOn.flatMap((is, place) => (is ? [{ from: `n${place}`, to: `n${place + 1}`, sort: 9 }] : [])),
      ],
      constants: [],
    }))
}

function makingOne(): object {
  const rule = { asset_key: 'template', condition: null, languages: 'all' }
  return { language_party: 'us', outputs: [{ output_key: 'paper', name: 'Paper', rules: [rule] }] }
}
