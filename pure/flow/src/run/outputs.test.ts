import { answersFrom } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { describe, expect, test } from 'vitest'
import {
  checkAdvance,
  checkForPublish,
  chooseNext,
  chooseOutputs,
  copyStatus,
  heldSources,
  lineState,
  parseDefinition,
  participants,
  signingLine,
  type Definition,
} from '../index.ts'

const field = { kind: 'field', slug: 'color', field_type: 'text' }
const is = (value: unknown) => ({ field: 'color', op: 'eq', value })
const output = (...rules: readonly object[]) => ({ output_key: 'paper', name: 'Paper', rules })
const outputs = [output({ asset_key: 'template' })]

function read(members: object): Definition {
  const parsed = parseDefinition({
    entry: 'start',
    output_mode: 'document',
    parties: [{ key: 'us' }, { key: 'them' }, { key: 'last' }],
    nodes: [],
    ...members,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

describe('a run goes on', () => {
  const flow = (mode: string, ends: object, condition: unknown = null) =>
    read({
      output_mode: mode,
      nodes: [
        { key: 'start', party: 'us', elements: [field], ...ends },
        { key: 'asks', party: 'them', elements: [field] },
        { key: 'bare', party: 'them', ...ends },
        { key: 'apart', party: 'them', elements: [field] },
      ],
      edges: [
        { from: 'start', to: 'asks', condition },
        { from: 'start', to: 'bare', condition: is('x') },
      ],
    })
  const said = (definition: Definition, words: object, node = 'start') => {
    const advance = checkAdvance(definition, node, words)
    return advance.ok ? advance.value : advance.refusal
  }
  const REFUSED = 'flows.next_node_invalid'

  test('to a step that an edge leads to', () => {
    const definition = flow('data_only', {})
    expect(said(definition, { next_node: 'asks' })).toEqual({ to: 'turn', node: 'asks', party: 'them' })
    expect(said(definition, { next_node: 'asks', leaf: false })).toEqual({ to: 'turn', node: 'asks', party: 'them' })
    const bare = { to: 'turn', node: 'bare', party: 'them' }
    expect(said(definition, { next_node: 'bare' })).toEqual(bare)
    expect(said(flow('document', { outputs }), { next_node: 'bare' })).toEqual(bare)
  })

  test.each<[words: object, node: string]>([
    [{ next_node: 'apart' }, 'start'],
    [{ next_node: 'nowhere' }, 'start'],
    [{ next_node: 'start' }, 'start'],
    [{ next_node: 7 }, 'start'],
    [{}, 'start'],
    [{ next_node: null }, 'start'],
    [{ next_node: 'asks', leaf: true }, 'start'],
    [{ next_node: 'asks', leaf: 'no' }, 'start'],
    [{ leaf: 1 }, 'apart'],
    [{ next_node: 'asks' }, 'nowhere'],
    [{ leaf: true }, 'start'],
  ])('not by %j at %s', (words, node) => {
    expect(said(flow('data_only', {}), words, node)).toBe(REFUSED)
  })

  test('or ends, where no edge is certain and documents can be made', () => {
    expect(said(flow('data_only', {}, is('y')), { leaf: true })).toEqual({ to: 'completed', node: 'start' })
    expect(said(flow('document', { outputs }, is('y')), { leaf: true })).toEqual({ to: 'generating', node: 'start' })
    expect(said(flow('document', {}, is('y')), { leaf: true })).toBe(REFUSED)
    expect(said(flow('document', { outputs }), { leaf: true })).toBe(REFUSED)
    expect(said(flow('data_only', {}), { leaf: true }, 'apart')).toEqual({ to: 'completed', node: 'apart' })
  })

  test('by the party’s own answers', () => {
    const next = (definition: Definition, color: string, node = 'start') =>
      chooseNext(definition, node, answersFrom({ color }))
    expect(next(flow('data_only', {}, is('y')), 'x')).toMatchObject({
      kind: 'next',
      node: 'bare',
      edge: { to: 'bare' },
    })
    expect(next(flow('data_only', {}, is('y')), 'z')).toEqual({ kind: 'leaf' })
    expect(next(flow('document', {}, is('y')), 'z')).toEqual({ kind: 'stuck' })
    expect(next(flow('data_only', {}), 'z', 'nowhere')).toEqual({ kind: 'stuck' })
  })
})

describe('the documents of a leaf', () => {
  const made = (
    rules: readonly object[],
    facts: { color?: string; language?: string; held?: readonly string[] } = {},
  ) => {
    const definition = read({ nodes: [{ key: 'start', party: 'us', elements: [field], outputs: [output(...rules)] }] })
    const [leaf] = definition.nodes
    if (leaf === undefined) throw new Error('there is no leaf')
    const { color = '', language = 'de-AT', held = [] } = facts
    return chooseOutputs(definition, leaf, {
      values: answersFrom({ color }),
      language,
      isHeld: (key) => held.includes(key),
    })
  }
  const sourceOf = (...all: Parameters<typeof made>) => made(...all).map(({ source }) => source)

  test('are made by the first rule that matches; a template has no source key [FLOW-12] [GEN-10]', () => {
    const rules = [{ asset_key: 'red', condition: is('red') }, { asset_key: 'other' }]
    expect(made(rules, { color: 'red' })).toMatchObject([
      {
        output_key: 'paper',
        name: 'Paper',
        rule: { asset_key: 'red' },
        source: { kind: 'template', asset_key: 'red' },
      },
    ])
    expect(sourceOf(rules, { color: 'blue' })).toEqual([{ kind: 'template', asset_key: 'other' }])
    expect(made([{ asset_key: 'red', condition: is('red') }])).toEqual([])
    expect(made([{ asset_key: 'a', source_field: 'b' }])).toEqual([])
  })

  test('in the language of the party, by its first part [GEN-11]', () => {
    const german = [{ asset_key: 'a', languages: ['en', 'DE_ch'] }]
    expect(made(german)).toHaveLength(1)
    expect(made(german, { language: ' EN-GB' })).toHaveLength(1)
    expect(made(german, { language: 'fr' })).toHaveLength(0)
    expect(made([{ asset_key: 'a', languages: [] }])).toHaveLength(0)
    expect(made([{ asset_key: 'a', languages: 'all' }], { language: 'fr' })).toHaveLength(1)
  })

  test('from a participant’s PDF only if the run holds it [GEN-12]', () => {
    const rules = [{ source_field: 'scan' }, { source_connection: { party: 'them', request_slug: 'deed' } }]
    expect(sourceOf(rules, { held: ['field:scan', 'conn:them:deed'] })).toEqual([
      { kind: 'field', slug: 'scan', source_key: 'field:scan' },
    ])
    expect(sourceOf(rules, { held: ['conn:them:deed'] })).toEqual([
      { kind: 'connection', party: 'them', request_slug: 'deed', source_key: 'conn:them:deed' },
    ])
    expect(made(rules)).toEqual([])
    const [leaf] = read({
      nodes: [{ key: 'start', party: 'us', outputs: [output(...rules, { asset_key: 'a' }, ...rules, {})] }],
    }).nodes
    const isHeld = (key: string) => key !== 'field:scan'
    expect(leaf && [heldSources(leaf, () => true), heldSources(leaf, isHeld)]).toEqual([
      ['field:scan', 'conn:them:deed'],
      ['conn:them:deed'],
    ])
  })

  test('from the PDF field of any step, or of a type below it, by a key that names the field [FLOW-13]', () => {
    const [below] = seedRows.filter(({ type }) => type === 'pdf_document')
    if (below === undefined) throw new Error('no pdf_document')
    const types = buildRegistry([...seedRows, { ...below, type: 'deed', parent: 'pdf_document' }])
    const facts = { types, requestFields: new Map(), plugins: new Map(), templates: new Map() }
    const flow = (field_type: string) =>
      read({
        nodes: [
          { key: 'start', party: 'them', elements: [{ kind: 'field', slug: 'scan', field_type, label: 'Scan' }] },
          { key: 'end', party: 'us', language_party: 'us', outputs: [output({ source_field: 'scan' })] },
        ],
        edges: [{ from: 'start', to: 'end', condition: null }],
      })
    const found = (field_type: string) =>
      checkForPublish(flow(field_type), facts).filter(({ error_key }) => error_key.startsWith('pdf.'))
    for (const type of ['pdf_document', 'deed']) expect(found(type)).toEqual([])
    for (const type of ['document', 'text'])
      expect(found(type)).toMatchObject([{ error_key: 'pdf.source_field_invalid' }])
    const leaf = flow('deed').nodes[1]
    expect(leaf && heldSources(leaf, () => true)).toEqual(['field:scan'])
  })

  test('are signed by those that the rule names, or by every party [SIGN-04]', () => {
    const signers = (rule: object) => made([{ asset_key: 'a', ...rule }])[0]?.signers
    const everyone = ['us', 'them', 'last'].map((party) => ({ party, action: 'sign' }))
    expect(signers({})).toEqual(everyone)
    expect(signers({ signers: [] })).toEqual(everyone)
    const named = [
      { party: 'them', action: 'accept' },
      { party: 'us', action: 'sign' },
      { party: 'last', action: 'stamp' },
    ]
    expect(signers({ signers: named })).toEqual([...named.slice(0, 2), { party: 'last', action: 'sign' }])
  })
})

describe('the signing line', () => {
  const line = signingLine([
    {
      output_key: 'one',
      signers: [
        { party: 'them', action: 'sign' },
        { party: 'us', action: 'accept' },
      ],
    },
    { output_key: 'two', signers: [{ party: 'us', action: 'sign' }] },
  ])

  test('takes the first signer of every output, then the second [SIGN-01]', () => {
    expect(line).toEqual([
      { position: 1, output_key: 'one', party: 'them', action: 'sign' },
      { position: 2, output_key: 'two', party: 'us', action: 'sign' },
      { position: 3, output_key: 'one', party: 'us', action: 'accept' },
    ])
    expect(signingLine([])).toEqual([])
  })

  test('opens one step at a time, and seals an output after its own last signer', () => {
    expect([0, 1, 2, 3].map((acted) => lineState(line, acted))).toEqual([
      { open: line[0], sealed: [], isComplete: false },
      { open: line[1], sealed: [], isComplete: false },
      { open: line[2], sealed: ['two'], isComplete: false },
      { open: null, sealed: ['two', 'one'], isComplete: true },
    ])
  })

  test('says what each party’s copy waits for [SIGN-06]', () => {
    const status = (acted: number) => [
      copyStatus(line, acted, 'one', 'us'),
      copyStatus(line, acted, 'one', 'them'),
      copyStatus(line, acted, 'two', 'them'),
    ]
    expect([status(0), status(1), status(2), status(3)]).toEqual([
      ['waiting', 'ready_to_sign', 'active'],
      ['waiting', 'active', 'active'],
      ['offering', 'active', 'active'],
      ['active', 'active', 'active'],
    ])
  })

  test('orders the participants by their first place, and each one’s documents by theirs [RUN-35]', () => {
    const named = [
      { output_key: 'one', name: 'One' },
      { output_key: 'two', name: 'Two' },
      { output_key: 'three', name: 'Three' },
    ]
    const paper = (key: string, name: string, position: number | null, act: string | null) => ({
      output_key: key,
      name,
      position,
      act,
    })
    expect(
      participants(read({ parties: [{ key: 'last' }, { key: 'us' }, { key: 'idle' }, { key: 'them' }] }), named, line),
    ).toEqual([
      {
        party_key: 'them',
        documents: [
          paper('one', 'One', 1, 'sign'),
          paper('two', 'Two', null, null),
          paper('three', 'Three', null, null),
        ],
      },
      {
        party_key: 'us',
        documents: [
          paper('two', 'Two', 2, 'sign'),
          paper('one', 'One', 3, 'accept'),
          paper('three', 'Three', null, null),
        ],
      },
      {
        party_key: 'last',
        documents: [
          paper('one', 'One', null, null),
          paper('two', 'Two', null, null),
          paper('three', 'Three', null, null),
        ],
      },
      {
        party_key: 'idle',
        documents: [
          paper('one', 'One', null, null),
          paper('two', 'Two', null, null),
          paper('three', 'Three', null, null),
        ],
      },
    ])
  })
})
