import { answersFrom } from '@sealpost/expression'
import { buildRegistry, seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import { chooseOutputs, parseDefinition, runValues, tagTexts } from '../index.ts'

const types = buildRegistry(seedRows)
const field = (slug: string, field_type: string) => ({ kind: 'field', slug, field_type })

const read = parseDefinition({
  entry: 'ask',
  output_mode: 'document',
  parties: [{ key: 'us' }],
  nodes: [
    {
      key: 'ask',
      party: 'us',
      elements: [
        field('name', 'text'),
        field('born', 'date'),
        field('colors', 'multiselect'),
        field('home', 'address'),
        field('account', 'bank'),
        field('scan', 'pdf_document'),
      ],
    },
    { key: 'end', party: 'us', elements: [field('amount', 'number')] },
    { key: 'apart', party: 'us', elements: [field('secret', 'text')] },
  ],
  edges: [
    { from: 'ask', to: 'end' },
    { from: 'ask', to: 'apart', condition: { field: 'name', op: 'eq', value: 'x' } },
  ],
  constants: [
    {
      key: 'twice',
      result_type: 'number',
      expr: {
        type: 'math',
        op: 'mul',
        args: [
          { type: 'ref', key: 'amount' },
          { type: 'lit', value_type: 'number', value: 2 },
        ],
      },
    },
    { key: 'is_late', result_type: 'boolean', expr: { type: 'lit', value_type: 'boolean', value: false } },
  ],
})
if (!read.ok) throw new Error(JSON.stringify(read.refusal))
const definition = read.value
const [, end] = definition.nodes
if (end === undefined) throw new Error('the flow has no leaf')

const printed = (answers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    tagTexts(definition, 'end', runValues(definition, answersFrom(answers), '2026-03-01'), types).entries(),
  )

test('each type is printed in its own way', () => {
  expect(
    printed({
      name: '["typed by hand"]',
      born: '1990-02-28',
      colors: '["red","dark blue"]',
      home: JSON.stringify({ country: 'AT', street: 'Ring', building_number: '1', city: 'Wien', postal_code: '1010' }),
      account: '{"bank_name":"Bank","swift":"ABCDEFGH"}',
      amount: '21',
    }),
  ).toMatchObject({
    name: '["typed by hand"]',
    born: '1990-02-28',
    colors: 'red, dark blue',
    home: 'Ring 1, 1010 Wien, AT',
    account: 'ABCDEFGH, Bank',
    amount: '21',
    twice: '42',
    is_late: 'false',
  })
})

test('an unanswered key, one of another path and a file have no text [GEN-18]', () => {
  const texts = printed({ name: '', secret: 'x', scan: '{"_enc_file":"af_1"}' })
  expect(texts).toEqual({ scan: '', is_late: 'false' })
})

test('where a constant is shown changes neither what is printed nor which documents are made [EXPR-32]', () => {
  const made = (shown_on: readonly string[]) => {
    const shown = { ...definition, constants: definition.constants.map((constant) => ({ ...constant, shown_on })) }
    const values = runValues(shown, answersFrom({ amount: '21' }), '2026-03-01')
    const rule = { asset_key: 'a', condition: { field: 'twice', op: 'eq', value: 42 }, languages: 'all' as const }
    const leaf = { ...end, outputs: [{ output_key: 'paper', name: 'Paper', rules: [rule] }] }
    const outputs = chooseOutputs(shown, leaf, { values, language: 'en', isHeld: () => false })
    return { outputs, texts: [...tagTexts(shown, 'end', values, types)] }
  }
  expect(made([])).toMatchObject({
    outputs: [{ output_key: 'paper' }],
    texts: expect.arrayContaining([['twice', '42']]),
  })
  for (const shown_on of [['end'], ['ask'], ['ask', 'end', 'apart']]) expect(made(shown_on)).toEqual(made([]))
})

test('a list or composite that is none is printed as it is', () => {
  expect(printed({ colors: 'red', home: 'Ring 1' })).toMatchObject({ colors: 'red', home: 'Ring 1' })
})
