import { answersFrom } from '@sealpost/expression'
import { describe, expect, test } from 'vitest'
import {
  chooseNext,
  connectionSources,
  parseDefinition,
  partyTags,
  pluginInputs,
  privacyView,
  runValues,
  type Definition,
} from '../index.ts'

describe('the next step', () => {
  test('is that of the first edge, in their order, whose condition holds [FLOW-08]', () => {
    const ways = [edge('third', 2, null), edge('second', 1, is('color', 'red')), edge('first', 0, is('color', 'blue'))]
    expect(taken(ways, { color: 'blue' })).toBe('first')
    expect(taken(ways, { color: 'red' })).toBe('second')
    expect(taken(ways, { color: 'green' })).toBe('third')
    expect(taken([edge('first', 0, null), edge('second', 0, null)], {})).toBe('first')
    expect(taken([edge('second', 0, null), edge('first', 0, null)], {})).toBe('second')
  })

  test('is decided by trees of leaves under and, or and not [FLOW-07]', () => {
    const red = is('color', 'red')
    const large = { field: 'size', op: 'gt', value: 10 }
    const holds = (condition: unknown, answers: Record<string, unknown>) =>
      taken([edge('first', 0, condition)], answers) === 'first'
    expect(holds({ op: 'and', children: [red, large] }, { color: 'red', size: '11' })).toBe(true)
    expect(holds({ op: 'and', children: [red, large] }, { color: 'red', size: '9' })).toBe(false)
    expect(holds({ op: 'or', children: [red, large] }, { color: 'red', size: '9' })).toBe(true)
    expect(holds({ op: 'not', children: [{ op: 'or', children: [red, large] }] }, { size: '9' })).toBe(true)
    expect(holds({ op: 'not', children: [red] }, { color: 'red' })).toBe(false)
  })
})

test('a start of a run must supply the parties’ values that texts name, each once', () => {
  const text = (body: string) => ({ kind: 'text', body })
  const elements = [text('{{them.phone}} {{us.name}} {{color}}'), text('[a href=tel:{{Them.Phone}}]call[/a]')]
  expect(partyTags(flow([], elements))).toEqual([
    { party: 'them', field: 'phone' },
    { party: 'us', field: 'name' },
  ])
})

test('a start of a run copies every shared file that a rule of any step names, each once', () => {
  const rule = { source_connection: { party: 'them', request_slug: 'deed' } }
  const outputs = [{ output_key: 'one', name: 'One', rules: [rule, rule, { source_field: 'scan' }] }]
  const definition = { ...flow([], []), nodes: ['a', 'b'].map((key) => ({ key, party: 'us', outputs })) }
  expect(connectionSources(read(definition))).toEqual([
    { party: 'them', request_slug: 'deed', source_key: 'conn:them:deed' },
  ])
})

describe('the inputs of a plugin', () => {
  const input = { key: 'budget', type: 'number', label: 'Budget', required: true }
  const plugin = { plugin_id: 'p', field_type: 't', inputs: { budget: 'twice' }, snapshot: { inputs: [input] } }
  const asked = { kind: 'plugin', slug: 'flight', label: 'Flight', plugin }
  const amount = { kind: 'field', slug: 'amount', field_type: 'number', label: 'Amount' }
  const two = { type: 'lit', value_type: 'number', value: 2 }
  const expr = { type: 'math', op: 'mul', args: [{ type: 'ref', key: 'amount' }, two] }
  const definition = read({
    entry: 'ask',
    output_mode: 'data_only',
    parties: [{ key: 'us' }, { key: 'them' }],
    nodes: [
      { key: 'ask', party: 'them', elements: [amount] },
      { key: 'book', party: 'us', elements: [asked] },
    ],
    edges: [{ from: 'ask', to: 'book' }],
    constants: [{ key: 'twice', result_type: 'number', expr }],
  })
  const sent = (answers: Record<string, unknown>, privateSlugs: ReadonlySet<string> | null) => {
    const [element] = definition.nodes[1]?.elements ?? []
    if (element?.kind !== 'plugin') throw new Error('the step asks no plugin')
    const view = privacyView(definition, {
      nodeKey: 'book',
      parties: new Set(['us']),
      privateSlugs,
      privateDrafts: new Set(),
    })
    const result = pluginInputs(element, runValues(definition, answersFrom(answers), '2026-03-01'), view)
    return result.ok ? Object.fromEntries(result.value) : Object.fromEntries(result.refusal)
  }

  test('are read through their wiring, constants included', () => {
    expect(sent({ amount: '21' }, new Set())).toEqual({ budget: 42 })
    expect(sent({}, new Set())).toEqual({ budget: 'unanswered' })
  })

  test('never include a private value of another party, nor one computed from it', () => {
    expect(sent({ amount: '21' }, new Set(['amount']))).toEqual({ budget: 'other_party_private' })
    expect(sent({ amount: '21' }, null)).toEqual({ budget: 'other_party_private' })
  })
})

function taken(edges: readonly unknown[], answers: Record<string, unknown>): string | null {
  const choice = chooseNext(flow(edges, []), 'start', answersFrom(answers))
  return choice.kind === 'next' ? choice.node : null
}

function flow(edges: readonly unknown[], elements: readonly unknown[]): Definition {
  return read({
    entry: 'start',
    output_mode: 'data_only',
    parties: [{ key: 'us' }, { key: 'them' }],
    nodes: ['start', 'first', 'second', 'third'].map((key) => ({ key, party: 'us', elements })),
    edges,
  })
}

function read(written: unknown): Definition {
  const parsed = parseDefinition(written)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

function edge(to: string, sort: number, condition: unknown): unknown {
  return { from: 'start', to, sort, condition }
}

function is(field: string, value: unknown): unknown {
  return { field, op: 'eq', value }
}
