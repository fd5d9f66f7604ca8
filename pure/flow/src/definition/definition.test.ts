import { buildRegistry, seedRows } from '@sealpost/field-types'
import { describe, expect, test } from 'vitest'
import { checkAnswer, checkForPublish, parseDefinition, type Definition, type FieldElement } from '../index.ts'

const types = buildRegistry(seedRows)
const name = { kind: 'field', slug: 'name', field_type: 'text', label: 'Name', required: true }
const rule = { asset_key: 'template', condition: null, languages: 'all' }
const output = { output_key: 'contract', name: 'Contract', rules: [rule] }
const leaf = { key: 'end', party: 'buyer', title: 'End', elements: [], language_party: 'buyer', outputs: [output] }
const sale = {
  entry: 'start',
  output_mode: 'document',
  parties: [
    { key: 'seller', label: 'Seller', type: 'owner' },
    { key: 'buyer', label: 'Buyer', type: 'person' },
  ],
  nodes: [{ key: 'start', party: 'seller', title: 'Start', elements: [name] }, leaf],
  edges: [{ from: 'start', to: 'end', sort: 0, condition: null }],
  constants: [],
}

describe('a definition', () => {
  test('has entry, parties, nodes, edges, output_mode and constants, and is read as it is written [FLOW-06]', () => {
    expect(definition(sale)).toEqual(sale)
    expect(Object.keys(definition({ ...sale, edges: undefined, constants: undefined }))).toEqual(
      expect.arrayContaining(['entry', 'parties', 'nodes', 'edges', 'output_mode', 'constants']),
    )
    expect(problems({})).toEqual(['/entry', '/output_mode', '/parties', '/nodes'])
  })

  test('has the output mode data_only or document, no other [FLOW-03]', () => {
    expect(definition({ ...sale, output_mode: 'data_only' }).output_mode).toBe('data_only')
    expect(definition(sale).output_mode).toBe('document')
    expect(problems({ ...sale, output_mode: 'paper' })).toEqual(['/output_mode'])
    expect(problems({ ...sale, output_mode: undefined })).toEqual(['/output_mode'])
  })

  test('that makes documents needs a language party and an output on each leaf [FLOW-09]', () => {
    expect(findings(sale)).toEqual([])
    expect(findings(withLeaf({ outputs: [] }))).toEqual(['flow.leaf_invalid /nodes/1/outputs'])
    expect(findings(withLeaf({ outputs: undefined }))).toEqual(['flow.leaf_invalid /nodes/1/outputs'])
    expect(findings(withLeaf({ language_party: undefined }))).toEqual(['flow.leaf_invalid /nodes/1/language_party'])
  })

  test('names each output by a key of its own and gives it a name and ordered rules [FLOW-10]', () => {
    const rules = ['first', 'second', 'third'].map((asset_key) => ({ ...rule, asset_key }))
    const read = definition(withLeaf({ outputs: [{ ...output, rules }] }))
    expect(read.nodes[1]?.outputs).toEqual([{ ...output, rules }])
    expect(problems(withLeaf({ outputs: [{ ...output, output_key: undefined }] }))).toContain(
      '/nodes/1/outputs/0/output_key',
    )
    expect(problems(withLeaf({ outputs: [{ ...output, name: undefined }] }))).toEqual(['/nodes/1/outputs/0/name'])
    expect(problems(withLeaf({ outputs: [output, output] }))).toEqual(['/nodes/1/outputs/1/output_key'])
  })

  test('may say of an output that its customers may cancel it', () => {
    const withCancellable = (cancellable: unknown) => withLeaf({ outputs: [{ ...output, cancellable }] })
    for (const value of [true, false]) {
      expect(definition(withCancellable(value)).nodes[1]?.outputs).toEqual([{ ...output, cancellable: value }])
      expect(findings(withCancellable(value))).toEqual([])
    }
    expect(definition(withCancellable(null)).nodes[1]?.outputs).toEqual([output])
    for (const value of ['true', 1, {}]) {
      expect(problems(withCancellable(value))).toEqual([])
      expect(findings(withCancellable(value))).toEqual(['pdf.cancellable_invalid /nodes/1/outputs/0/cancellable'])
    }
  })

  test('gives each rule exactly one source, and maybe a condition, languages and signers [FLOW-11]', () => {
    const full = { ...rule, condition: { field: 'name', op: 'answered' }, languages: ['de', 'en'] }
    const signers = [
      { party: 'buyer', action: 'sign' },
      { party: 'seller', action: 'accept' },
    ]
    expect(findings(withRule({ ...full, signers }))).toEqual([])
    expect(definition(withRule({ asset_key: 'template' })).nodes[1]?.outputs?.[0]?.rules).toEqual([rule])
    const path = '/nodes/1/outputs/0/rules/0'
    expect(findings(withRule({ languages: 'all' }))).toEqual([`pdf.source_invalid ${path}`])
    expect(findings(withRule({ ...rule, source_field: 'name' }))).toEqual([`pdf.source_invalid ${path}`])
    expect(problems(withRule({ ...rule, languages: 'de' }))).toEqual([`${path}/languages`])
    const stamped = { ...rule, signers: [{ party: 'buyer', action: 'stamp' }] }
    expect(findings(withRule(stamped))).toEqual([`pdf.signers_invalid ${path}/signers/0/action`])
  })

  test('shows elements of the kinds field, text, image and plugin [FLOW-15]', () => {
    const image = { kind: 'image', asset_key: 'logo', alt: 'Logo' }
    const plugin = { plugin_id: 'p', field_type: 't', inputs: {} }
    const asked = { kind: 'plugin', slug: 'flight', label: 'Flight', required: false, plugin }
    const elements = [name, { kind: 'text', body: 'Hello' }, image, asked]
    expect(definition(withElements(elements)).nodes[0]?.elements).toEqual(elements)
    expect(findings(withElements([name, { kind: 'video' }]))).toEqual(['element.kind_invalid /nodes/0/elements/1/kind'])
  })

  test('may give a field a default, a minimum and a maximum over keys answered at its step [FLOW-24]', () => {
    const amount = { kind: 'field', slug: 'amount', field_type: 'number', label: 'Amount', required: true }
    const reads = (key: string) => ({ default: ref(key), min: ref(key), max: ref(key) })
    expect(findings(withElements([name, amount, { ...amount, slug: 'price', ...reads('amount') }]))).toEqual([])
    const path = '/nodes/0/elements/1'
    expect(findings(withElements([name, { ...amount, ...reads('later') }]))).toEqual([
      `field.ref_not_answerable ${path}/default/key`,
      `field.ref_not_answerable ${path}/max/key`,
      `field.ref_not_answerable ${path}/min/key`,
    ])
  })

  test('keeps parts that only publishing can check, and refuses keys that it cannot tell apart', () => {
    expect(parseDefinition({ ...sale, entry: 'nowhere' }).ok).toBe(true)
    expect(problems({ ...sale, nodes: [...sale.nodes, { ...leaf, title: 'Twin' }] })).toEqual(['/nodes/2/key'])
  })

  test('is bounded in its lists and texts, and names at most a hundred problems', () => {
    const many = (count: number) => Array.from({ length: count }, () => name)
    expect(problems(withElements(many(201)))).toEqual(['/nodes/0/elements'])
    expect(problems(withElements([{ kind: 'text', body: 'x'.repeat(50_001) }]))).toEqual(['/nodes/0/elements/0/body'])
    expect(problems({ ...sale, edges: Array.from({ length: 2_000 }, () => 0) })).toHaveLength(100)
  })
})

describe('a field of a step', () => {
  test('may have any requestable type, and select and multiselect with options of the step [FLOW-25]', () => {
    const options = [{ value: 'a', label: 'A' }]
    for (const { type } of seedRows) {
      const isChoice = type === 'select' || type === 'multiselect'
      expect(findings(withElements([{ ...name, field_type: type, ...(isChoice ? { options } : {}) }]))).toEqual([])
    }
    expect(findings(withElements([{ ...name, field_type: 'select' }]))).toEqual([
      'field.type_invalid /nodes/0/elements/0/options',
    ])
    expect(findings(withElements([{ ...name, field_type: 'plugin' }]))).toEqual([
      'field.type_invalid /nodes/0/elements/0/field_type',
    ])
  })

  test('typed with a parent accepts a value of a type below it, validated by its own type [FLOW-26]', () => {
    const field = (field_type: string): FieldElement => ({ ...name, kind: 'field', field_type })
    const passport = JSON.stringify({ pages: [], issuing_country: 'NL' })
    expect(checkAnswer(types, field('legal_document'), passport, 'passport').ok).toBe(true)
    expect(checkAnswer(types, field('number'), '12', 'integer').ok).toBe(true)
    expect(checkAnswer(types, field('number'), '1.5', 'integer').ok).toBe(false)
    expect(checkAnswer(types, field('integer'), '12', 'number')).toEqual({
      ok: false,
      refusal: { reason: 'type_not_accepted' },
    })
    expect(checkAnswer(types, field('text'), 'plain').ok).toBe(true)
  })
})

function definition(written: unknown): Definition {
  const parsed = parseDefinition(written)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  return parsed.value
}

function problems(written: unknown): readonly string[] {
  const parsed = parseDefinition(written)
  return parsed.ok ? [] : parsed.refusal.map(({ path }) => path)
}

function findings(written: unknown): readonly string[] {
  const facts = { types, requestFields: new Map(), plugins: new Map(), templates: new Map([['template', ['name']]]) }
  return checkForPublish(definition(written), facts).map(({ error_key, path }) => `${error_key} ${path}`)
}

function withLeaf(members: object): unknown {
  return { ...sale, nodes: [sale.nodes[0], { ...leaf, ...members }] }
}

function withRule(written: object): unknown {
  return withLeaf({ outputs: [{ ...output, rules: [written] }] })
}

function withElements(elements: readonly unknown[]): unknown {
  return { ...sale, output_mode: 'data_only', nodes: [{ ...sale.nodes[0], elements }, leaf] }
}

function ref(key: string): unknown {
  return { type: 'ref', key }
}
