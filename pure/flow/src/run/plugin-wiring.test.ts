import { describe, expect, test } from 'vitest'
import type { Definition, PluginElement } from '../definition/definition.ts'
import { parseDefinition } from '../definition/parse-definition.ts'
import { pluginInputs, privacyView } from './privacy-view.ts'
import { runValues } from './values.ts'

type Json = Readonly<Record<string, unknown>>

const rate = {
  plugin_name: 'Rates',
  host: 'rates.example.com',
  label: 'Rate',
  blocks: [{ key: 'country', kind: 'search_select', label: 'Country' }],
  inputs: [],
  outputs: [{ key: 'percent', type: 'number', label: 'Percent' }],
}

function flow(target: Json, kind = 'search_select') {
  const blocks = [{ key: 'country', kind, label: 'Country' }]
  return parseDefinition({
    entry: 'step',
    output_mode: 'data_only',
    parties: [{ key: 'us', label: 'Us', type: 'owner' }],
    nodes: [
      {
        key: 'step',
        party: 'us',
        elements: [
          { kind: 'field', slug: 'amount', field_type: 'number', label: '', required: true },
          { kind: 'plugin', slug: 'vat', label: '', required: true, plugin: use({ ...rate, blocks }, {}) },
          { kind: 'plugin', slug: 'target', label: '', required: true, plugin: target },
        ],
      },
    ],
    edges: [],
    constants: [
      {
        key: 'is_large',
        label: '',
        result_type: 'boolean',
        expr: { type: 'lit', value_type: 'boolean', value: true },
        shown_on: [],
      },
    ],
  })
}

function use(snapshot: Json, inputs: Json): Json {
  return { plugin_id: 'rates', field_type: 'rate', snapshot, inputs }
}

interface Declared {
  readonly key: string
  readonly type: string
  readonly required: boolean
}

/** The inputs of an element that declares and wires these, for the given answers. */
function inputsOf(declared: readonly Declared[], wiring: Json, answers: Readonly<Record<string, unknown>>) {
  const snapshot = { ...rate, inputs: declared.map((input) => ({ ...input, label: '' })) }
  const parsed = flow(use(snapshot, wiring))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal))
  const nothing = { privateSlugs: new Set<string>(), privateDrafts: new Set<string>() }
  const view = privacyView(parsed.value, { nodeKey: 'step', parties: new Set(['us']), ...nothing })
  const values = runValues(parsed.value, new Map(Object.entries(answers)), '2026-05-01')
  const read = pluginInputs(targetOf(parsed.value), values, view)
  return read.ok ? Object.fromEntries(read.value) : Object.fromEntries(read.refusal)
}

function targetOf({ nodes }: Definition): PluginElement {
  const found = nodes.flatMap(({ elements }) => elements).find((one) => one.kind === 'plugin' && one.slug === 'target')
  if (found?.kind !== 'plugin') throw new Error('the element is above')
  return found
}

test.each(['search_select', 'text', 'number', 'date'])('a block may be of the kind %s [FLOW-18]', (kind) => {
  expect(flow(use(rate, {}), kind).ok).toBe(true)
})

test.each(['boolean', 'select', '', 7, null])('a block of the kind %j cannot be read [FLOW-18]', (kind) => {
  expect(flow(use(rate, {}), kind as string)).toMatchObject({
    ok: false,
    refusal: [{ path: '/nodes/0/elements/1/plugin/snapshot/blocks/0/kind' }],
  })
})

test('an input is wired to a field, to a value of a plugin, or to a constant [FLOW-19]', () => {
  const vat = {
    plugin: 'Rates',
    type: 'rate',
    blocks: [{ key: 'country', kind: 'search_select', label: 'Country', id: 'AT', value: 'Austria' }],
    outputs: [{ key: 'percent', type: 'number', label: 'Percent', value: 20 }],
  }
  const inputs = inputsOf(
    [
      { key: 'a', type: 'number', required: true },
      { key: 'b', type: 'number', required: true },
      { key: 'c', type: 'text', required: true },
      { key: 'd', type: 'boolean', required: true },
    ],
    { a: 'amount', b: 'vat.percent', c: 'vat.country.id', d: 'is_large' },
    { amount: '250', vat: JSON.stringify(vat) },
  )
  expect(inputs).toEqual({ a: 250, b: 20, c: 'AT', d: true })
})

describe('an input', () => {
  const given = { number: 7, date: '2026-05-01', boolean: true, text: 'words' }

  test.each(['number', 'date', 'boolean', 'text'] as const)('takes %s from what it accepts only [FLOW-21]', (type) => {
    for (const [from, value] of Object.entries(given)) {
      const read = inputsOf([{ key: 'a', type, required: true }], { a: 'amount' }, { amount: value })
      const isTaken = type === 'text' || type === from
      expect(read).toEqual({ a: isTaken ? (type === 'text' ? String(value) : value) : 'not_convertible' })
    }
  })

  test('that is optional and not wired is left out; a required one keeps the field from being answered [FLOW-21]', () => {
    const optional = { key: 'a', type: 'number', required: false }
    expect(inputsOf([optional], {}, {})).toEqual({})
    expect(inputsOf([{ ...optional, required: true }], {}, {})).toEqual({ a: 'unwired' })
  })
})
