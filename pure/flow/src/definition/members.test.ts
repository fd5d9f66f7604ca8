import { describe, expect, test } from 'vitest'
import { parseDefinition } from '../index.ts'
import { DEFINITION_LIMITS } from './limits.ts'

const field = { kind: 'field', slug: 'name', field_type: 'text', label: 'Name', required: true }
const condition = { field: 'name', op: 'answered' }
const expression = { type: 'ref', key: 'name' }

/** Every member that a definition may have. */
const full = {
  entry: 'start',
  output_mode: 'document',
  parties: [
    { key: 'us', label: 'Us', type: 'owner' },
    { key: 'them', label: 'Them', type: 'company' },
    { key: 'untyped', label: 'Untyped' },
  ],
  nodes: [
    {
      key: 'start',
      party: 'us',
      title: 'Start',
      language_party: 'them',
      elements: [
        {
          ...field,
          show_if: condition,
          help: 'Help',
          options: [{ value: 'a', label: 'A', available_if: condition }],
          link: 'verified',
          verified_max_age_days: 30,
          default: expression,
          min: expression,
          max: expression,
          max_mb: 5,
        },
        { kind: 'text', body: 'Hello', show_if: condition },
        { kind: 'image', asset_key: 'logo', alt: 'Logo', show_if: condition },
        {
          kind: 'plugin',
          slug: 'flight',
          label: 'Flight',
          required: false,
          show_if: condition,
          plugin: {
            plugin_id: 'p',
            field_type: 't',
            snapshot: {
              plugin_name: 'Plugin',
              host: 'plugin.example',
              label: 'Label',
              blocks: [
                { key: 'route', kind: 'search_select', label: 'Route', depends_on: ['day', 'month'] },
                { key: 'day', kind: 'date', label: 'Day' },
              ],
              inputs: [{ key: 'budget', type: 'number', label: 'Budget', required: true }],
              outputs: [{ key: 'price', type: 'boolean', label: 'Price' }],
            },
            inputs: { budget: 'amount' },
          },
        },
      ],
      outputs: [
        {
          output_key: 'paper',
          name: 'Paper',
          cancellable: true,
          rules: [
            { asset_key: 'a', condition, languages: ['de'], signers: [{ party: 'us', action: 'sign' }] },
            { source_field: 'scan', condition: null, languages: 'all' },
            { source_connection: { party: 'them', request_slug: 'deed' }, condition: null, languages: 'all' },
          ],
        },
      ],
    },
  ],
  edges: [{ from: 'start', to: 'end', sort: 3, condition }],
  constants: [{ key: 'k', label: 'Kay', result_type: 'text', expr: expression, shown_on: ['start'] }],
}

function problems(written: unknown): readonly string[] {
  const parsed = parseDefinition(written)
  return parsed.ok ? [] : parsed.refusal.map(({ path, problem }) => `${path} ${problem}`)
}

/** The same with another value at a JSON pointer. */
function changed(path: string, value: unknown, whole: unknown = full): unknown {
  const [first, ...rest] = path.split('/').slice(1)
  if (first === undefined) return value
  const inside = changed(rest.length === 0 ? '' : `/${rest.join('/')}`, value, Object(whole)[first])
  return Array.isArray(whole) ? whole.with(Number(first), inside) : { ...Object(whole), [first]: inside }
}

function placesIn(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inside]) => placesIn(inside, `${at}/${key}`))]
}

test('every member is read as it is written', () => {
  const parsed = parseDefinition(full)
  expect(parsed).toEqual({ ok: true, value: full })
})

describe('a member of another kind is a problem at its place', () => {
  /** Conditions, expressions and `cancellable` are any JSON, so that drafts may hold broken ones. */
  const isAny = (path: string) =>
    /\/(?:show_if|available_if|default|min|max|condition|expr|cancellable)(?:\/|$)/.test(path)
  test.each(placesIn(full).filter((path) => !isAny(path)))('%s', (path) => {
    const found = problems(changed(path, Symbol('neither')))
    expect(found.map((line) => line.split(' ')[0])).toContain(path)
  })
})

test.each<[path: string, value: unknown, problem: string]>([
  ['/output_mode', 'paper', 'must be one of data_only, document'],
  ['/parties/0/type', 'guest', 'must be one of owner, person, company'],
  ['/nodes/0/elements/0/link', 'maybe', 'must be one of none, allowed, connected, verified'],
  ['/nodes/0/elements/0/verified_max_age_days', 0, 'must be above zero'],
  ['/nodes/0/elements/0/max_mb', -1, 'must be above zero'],
  ['/nodes/0/elements/0/required', 'yes', 'must be true or false'],
  ['/nodes/0/elements/3/plugin/snapshot/blocks/0/kind', 'map', 'must be one of search_select, text, number, date'],
  ['/nodes/0/elements/3/plugin/snapshot/blocks/0/key', 'id', 'is not a key of a plugin value'],
  ['/nodes/0/elements/3/plugin/snapshot/blocks/0/key', 'A', 'is not a key of a plugin value'],
  ['/nodes/0/elements/3/plugin/snapshot/outputs/0/key', 'a'.repeat(41), 'is not a key of a plugin value'],
  ['/nodes/0/elements/3/plugin/snapshot/inputs/0/type', 'file', 'must be one of number, date, boolean, text'],
  ['/edges/0/sort', Number.NaN, 'must be a number'],
  ['/edges/0/sort', '3', 'must be a number'],
  ['/constants/0/shown_on', 'start', 'must be a list'],
  ['/nodes/0/title', 'x'.repeat(1001), 'must have at most 1000 characters'],
  ['/entry', 'x'.repeat(201), 'must have at most 200 characters'],
])('%s %j', (path, value, problem) => {
  expect(problems(changed(path, value))).toEqual([`${path} ${problem}`])
})

test.each<[path: string, value: unknown]>([
  ['/nodes/0/elements/0/max_mb', 0.5],
  ['/nodes/0/title', 'x'.repeat(1000)],
  ['/entry', 'x'.repeat(200)],
  ['/nodes/0/elements/3/plugin/snapshot/outputs/0/key', 'a'.repeat(40)],
])('%s takes %j', (path, value) => {
  expect(problems(changed(path, value))).toEqual([])
})

test('what may be absent gets its default', () => {
  const written = {
    entry: 'start',
    output_mode: 'data_only',
    parties: [{ key: 'us' }],
    nodes: [
      {
        key: 'start',
        party: 'us',
        elements: [
          { kind: 'field', slug: 'a', field_type: 'select', options: [{ value: 'x' }] },
          { kind: 'text', text: 'older' },
          { kind: 'text', label: 'oldest' },
          { kind: 'text' },
          { kind: 'image', asset_key: 'logo' },
          { kind: 'video', show_if: condition },
          {
            kind: 'plugin',
            slug: 'b',
            plugin: {
              plugin_id: 'p',
              field_type: 't',
              snapshot: { blocks: [{ key: 'a', kind: 'text', depends_on: 'b' }] },
              inputs: { c: null, d: 'e' },
            },
          },
        ],
      },
    ],
    edges: [{ from: 'start', to: 'start' }],
    constants: [{ key: 'k', result_type: 'text' }],
  }
  expect(parseDefinition(written)).toEqual({
    ok: true,
    value: {
      ...written,
      parties: [{ key: 'us', label: 'us' }],
      nodes: [
        {
          key: 'start',
          party: 'us',
          title: '',
          elements: [
            {
              kind: 'field',
              slug: 'a',
              field_type: 'select',
              label: '',
              required: false,
              options: [{ value: 'x', label: 'x' }],
            },
            { kind: 'text', body: 'older' },
            { kind: 'text', body: 'oldest' },
            { kind: 'text', body: '' },
            { kind: 'image', asset_key: 'logo', alt: '' },
            { kind: 'unrecognised', written_kind: 'video', show_if: condition },
            {
              kind: 'plugin',
              slug: 'b',
              label: '',
              required: false,
              plugin: {
                plugin_id: 'p',
                field_type: 't',
                snapshot: {
                  plugin_name: '',
                  host: '',
                  label: '',
                  blocks: [{ key: 'a', kind: 'text', label: '', depends_on: ['b'] }],
                  inputs: [],
                  outputs: [],
                },
                inputs: { d: 'e' },
              },
            },
          ],
        },
      ],
      edges: [{ from: 'start', to: 'start', sort: 0, condition: null }],
      constants: [{ key: 'k', label: '', result_type: 'text', expr: null, shown_on: [] }],
    },
  })
})

describe('lists have their limits', () => {
  const numbered = (count: number, make: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index) => make(index))
  const node = (index: number, elements: readonly unknown[] = []) => ({ key: `n${index}`, party: 'us', elements })
  const rule = { asset_key: 'a' }
  test.each<[path: string, limit: number, make: (index: number) => unknown]>([
    ['/parties', DEFINITION_LIMITS.parties, () => ({ key: 'us' })],
    ['/nodes', DEFINITION_LIMITS.nodes, (index) => node(index)],
    ['/edges', DEFINITION_LIMITS.edges, () => ({ from: 'a', to: 'b' })],
    ['/constants', DEFINITION_LIMITS.constants, () => ({ key: 'k', result_type: 'text' })],
    ['/nodes/0/elements', DEFINITION_LIMITS.elementsPerNode, () => field],
    ['/nodes/0/elements/0/options', DEFINITION_LIMITS.optionsPerField, () => ({ value: 'x' })],
    ['/nodes/0/outputs', DEFINITION_LIMITS.outputsPerLeaf, (index) => ({ output_key: `o${index}`, name: 'O' })],
    ['/nodes/0/outputs/0/rules', DEFINITION_LIMITS.rulesPerOutput, () => rule],
    ['/nodes/0/outputs/0/rules/0/signers', DEFINITION_LIMITS.signersPerRule, () => ({ party: 'us', action: 'sign' })],
    ['/nodes/0/outputs/0/rules/0/languages', DEFINITION_LIMITS.languagesPerRule, () => 'de'],
    ['/nodes/0/elements/3/plugin/snapshot/blocks', DEFINITION_LIMITS.pluginMembers, () => ({ key: 'a', kind: 'text' })],
  ])('%s: %i', (path, limit, make) => {
    expect(problems(changed(path, numbered(limit, make)))).toEqual([])
    expect(problems(changed(path, numbered(limit + 1, make)))).toEqual([`${path} must have at most ${limit} entries`])
  })

  test('elements of all steps together', () => {
    const steps = (elements: number) => {
      const all = numbered(10, (index) =>
        node(
          index,
          numbered(200, () => field),
        ),
      )
      return changed('/nodes', [
        ...all,
        node(
          10,
          numbered(elements, () => field),
        ),
      ])
    }
    expect(problems(steps(0))).toEqual([])
    expect(problems(steps(1))).toEqual(['/nodes must have at most 2000 elements together'])
  })

  test('the inputs of a plugin', () => {
    const inputs = (count: number) =>
      Object.fromEntries(numbered(count, (index) => [`i${index}`, 'k'] as const) as [string, string][])
    const path = '/nodes/0/elements/3/plugin/inputs'
    expect(problems(changed(path, inputs(100)))).toEqual([])
    expect(problems(changed(path, inputs(101)))).toEqual([`${path} must have at most 100 entries`])
  })
})
