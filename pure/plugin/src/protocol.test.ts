import { expect, test } from 'vitest'
import {
  type FieldType,
  isValueOf,
  parseOptionsReply,
  parseOutputsReply,
  parseQuestion,
  writeAnswer,
  writeQuestion,
  writeReply,
} from './index.ts'

const trip: FieldType = {
  key: 'trip',
  label: 'Trip',
  blocks: [
    { key: 'country', kind: 'search_select', label: 'Country' },
    { key: 'nights', kind: 'number', label: 'Nights' },
    { key: 'day', kind: 'date', label: 'Day' },
    { key: 'wish', kind: 'text', label: 'Wish' },
  ],
  inputs: [
    { key: 'count', type: 'number', label: 'Count', required: true },
    { key: 'flag', type: 'boolean', label: 'Flag', required: false },
  ],
  outputs: [
    { key: 'price', type: 'number', label: 'Price' },
    { key: 'until', type: 'date', label: 'Until' },
  ],
}
const filled = {
  picks: new Map([['country', 'pt']]),
  values: new Map<string, string | number>([
    ['nights', 3],
    ['day', '2026-02-28'],
    ['wish', ''],
  ]),
  inputs: new Map([['count', 2]]),
}

test('what a client writes is what a plugin reads', () => {
  const outputs = writeQuestion({ op: 'outputs' }, 'trip', filled, 'key')
  expect(Object.keys(JSON.parse(outputs) as object)).toEqual([
    'field_type',
    'op',
    'picks',
    'values',
    'inputs',
    'reply_key',
  ])
  expect(parseQuestion(outputs, [trip])).toEqual({
    ok: true,
    value: { op: 'outputs', fieldType: trip, replyKey: 'key', ...filled },
  })
  const options = writeQuestion({ op: 'options', block: 'country', query: 'p' }, 'trip', filled, 'key')
  expect(parseQuestion(options, [trip])).toMatchObject({
    ok: true,
    value: { op: 'options', block: { key: 'country' }, query: 'p' },
  })
})

test('a question is refused with every member that is wrong; unknown members and null are ignored', () => {
  const question = (members: object) => {
    const base = JSON.parse(writeQuestion({ op: 'outputs' }, 'trip', filled, 'key')) as object
    const parsed = parseQuestion(JSON.stringify({ ...base, ...members }), [trip])
    return parsed.ok ? [] : parsed.refusal.map(({ path }) => path)
  }
  expect(question({ other: 1, picks: { country: null, elsewhere: 7 }, values: null })).toEqual([])
  expect(question({ picks: [], inputs: 1 })).toEqual(['picks', 'inputs', 'inputs.count'])
  expect(
    question({ picks: { country: 'x'.repeat(1001) }, values: { nights: Infinity, day: '2026-02-30', wish: 1 } }),
  ).toEqual(['picks.country', 'values.day', 'values.wish'])
  expect(question({ inputs: { count: true, flag: 'true' } })).toEqual(['inputs.count', 'inputs.flag'])
  expect(question({ op: 'options', block: 'nights' })).toEqual(['block'])
  expect(question({ op: 'options', block: 'country', query: 7 })).toEqual(['query'])
  expect(question({ field_type: 'x', op: 'y', reply_key: null })).toEqual(['field_type', 'reply_key', 'op'])
  for (const text of ['', '[]', 'null', '7']) expect(parseQuestion(text, [trip]).ok).toBe(false)
})

test('replies come back as they were written', () => {
  const options = { kind: 'options', options: [{ id: 'a', label: 'A' }], more: true } as const
  expect(parseOptionsReply(writeReply(options))).toEqual({ ok: true, value: options })
  const outputs = {
    kind: 'outputs',
    outputs: new Map([
      ['price', 1.5],
      ['until', null],
    ]),
  } as const
  expect(parseOutputsReply(writeReply(outputs), trip.outputs)).toEqual({ ok: true, value: outputs })
  const invalid = { kind: 'picks_invalid' } as const
  expect(parseOutputsReply(writeReply(invalid), trip.outputs)).toEqual({ ok: true, value: invalid })
  expect(parseOptionsReply(writeReply(invalid))).toEqual({ ok: true, value: invalid })
})

test('a reply with a value of another type, too many, missing or undeclared ones is refused', () => {
  const outputs = (value: unknown) => parseOutputsReply(JSON.stringify({ outputs: value }), trip.outputs).ok
  expect(outputs({ price: 1, until: '2026-02-28' })).toBe(true)
  for (const value of [
    { price: 1 },
    { price: '1', until: null },
    { price: 1, until: '2026-2-28' },
    { price: 1, until: null, x: 1 },
    [],
    null,
  ]) {
    expect(outputs(value)).toBe(false)
  }
  const options = (list: unknown, more: unknown = false) =>
    parseOptionsReply(JSON.stringify({ options: list, more })).ok
  expect(
    options(
      Array.from({ length: 50 }, (_, at) => ({ id: `${at}`, label: 'x' })),
      true,
    ),
  ).toBe(true)
  expect(
    options(
      Array.from({ length: 51 }, (_, at) => ({ id: `${at}`, label: 'x' })),
      true,
    ),
  ).toBe(false)
  for (const list of [
    [{ id: 1, label: 'x' }],
    [{ id: 'a', label: '' }],
    [{ id: 'a' }],
    [
      { id: 'a', label: 'x' },
      { id: 'a', label: 'y' },
    ],
    {},
  ]) {
    expect(options(list)).toBe(false)
  }
  expect(options([], 'no')).toBe(false)
  for (const text of ['', 'null', '[]', '{"picks_invalid":1}']) expect(parseOptionsReply(text).ok).toBe(false)
})

test('values have exactly their declared type', () => {
  const good = { number: [0, -1.5], date: ['2024-02-29'], boolean: [false], text: ['', 'x'.repeat(4000)] } as const
  const bad = {
    number: ['1', NaN, true],
    date: ['2023-02-29', ' 2024-02-29', 20240229],
    boolean: ['true', 0],
    text: [1, 'x'.repeat(4001)],
  } as const
  for (const type of ['number', 'date', 'boolean', 'text'] as const) {
    for (const value of good[type]) expect([type, value, isValueOf(type, value)]).toEqual([type, value, true])
    for (const value of [...bad[type], null, undefined, {}])
      expect([type, value, isValueOf(type, value)]).toEqual([type, value, false])
  }
})

test('an answer has blocks in declared order, ids of picks only, and every output', () => {
  const picks = new Map([['country', { id: 'pt', label: 'Portugal' }]])
  const snapshot = { plugin_name: 'Trips', blocks: trip.blocks, outputs: trip.outputs }
  const values = new Map<string, string | number>([
    ['day', '2026-02-28'],
    ['nights', 0],
  ])
  expect(JSON.parse(writeAnswer(snapshot, 'trip', { picks, values }, new Map([['price', 0]])))).toEqual({
    plugin: 'Trips',
    type: 'trip',
    blocks: [
      { key: 'country', kind: 'search_select', label: 'Country', id: 'pt', value: 'Portugal' },
      { key: 'nights', kind: 'number', label: 'Nights', value: 0 },
      { key: 'day', kind: 'date', label: 'Day', value: '2026-02-28' },
    ],
    outputs: [
      { key: 'price', type: 'number', label: 'Price', value: 0 },
      { key: 'until', type: 'date', label: 'Until', value: null },
    ],
  })
})
