import { answersFrom } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { type Dice, openDice } from '@sealpost/testkit/dice'
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
  edgesFrom,
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

test('each of 100 random runs of a publishable flow ends where leaf is accepted', { timeout: 3_600_000 }, () => {
  let published = 0
  const ends = { leaf: 0, conditional: 0 }
  fc.assert(
    fc.property(soundDefinition(), fc.integer(), (written, seed) => {
      const parsed = parseDefinition(written)
      if (!parsed.ok || !isPublishable(checkForPublish(parsed.value, facts))) return
      published += 1
      const dice = openDice(seed)
      const pool = valuesIn(parsed.value)
      for (let run = 0; run < 100; run += 1) {
        const end = expectEveryRunToEnd(parsed.value, randomDrafts(dice, pool))
        ends[edgesFrom(parsed.value, end).length === 0 ? 'leaf' : 'conditional'] += 1
      }
    }),
    { numRuns: propertyRuns() },
  )
  expect(published).toBeGreaterThan(propertyRuns() / 10)
  // Runs also end at steps with edges, of which none held.
  expect(ends.leaf).toBeGreaterThan(0)
  expect(ends.conditional).toBeGreaterThan(0)
})

/** The values of the conditions, and others that fit no condition. */
function valuesIn({ edges }: Definition): readonly unknown[] {
  const compared = edges.map(({ condition }) => (isCompared(condition) ? condition.value : null))
  return [...compared, '', 'other', 0, 7, true, false, null]
}

function isCompared(condition: unknown): condition is { readonly value: unknown } {
  return typeof condition === 'object' && condition !== null && 'value' in condition
}

/** What is answered at each step, from fields of all steps. */
function randomDrafts(dice: Dice, pool: readonly unknown[]): readonly Record<string, unknown>[] {
  return Array.from({ length: 5 }, () =>
    Object.fromEntries(['f0', 'f1', 'f2', 'f3', 'f4'].map((key) => [key, pool[dice.below(pool.length)]])),
  )
}

/** Answers the step at which the run ended. */
function expectEveryRunToEnd(definition: Definition, drafts: readonly Record<string, unknown>[]): string {
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
    if (advance.value.to !== 'turn') return at
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
