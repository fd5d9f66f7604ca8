import { describe, expect, test } from 'vitest'
import { parseManifest } from './index.ts'

const isPublicKey = (text: string): boolean => text === 'a key'
const place = {
  key: 'place',
  label: 'Place',
  blocks: [
    { key: 'country', kind: 'search_select', label: 'Country' },
    { key: 'city', kind: 'search_select', label: 'City', depends_on: ['country'] },
    { key: 'street', kind: 'text', label: 'Street', depends_on: [] },
  ],
  inputs: [{ key: 'from', type: 'date', label: 'From', required: false }],
  outputs: [{ key: 'zone', type: 'number', label: 'Zone' }],
}
const manifest = (members: object = {}) => ({ name: 'Places', public_key: 'a key', field_types: [place], ...members })

function problemsOf(value: unknown): readonly string[] {
  const parsed = parseManifest(value, isPublicKey)
  return parsed.ok ? [] : parsed.refusal.map(({ path, problem }) => `${path}: ${problem}`)
}

test('a manifest is read without members that no rule names', () => {
  expect(parseManifest(manifest({ vendor: 'x' }), isPublicKey)).toEqual({
    ok: true,
    value: {
      name: 'Places',
      public_key: 'a key',
      field_types: [
        { ...place, blocks: [...place.blocks.slice(0, 2), { key: 'street', kind: 'text', label: 'Street' }] },
      ],
    },
  })
})

describe('refused is', () => {
  const withType = (members: object) => manifest({ field_types: [{ ...place, ...members }] })
  const block = place.blocks[0]
  test.each<[string, unknown, string]>([
    ['no object', [], ': must be an object, not a list'],
    ['no name', manifest({ name: undefined }), 'name: must be a text, not absent'],
    ['a blank name', manifest({ name: ' ' }), 'name: must not be empty'],
    ['a long name', manifest({ name: 'x'.repeat(201) }), 'name: must have at most 200 characters'],
    ['another key', manifest({ public_key: 'other' }), 'public_key: must be the base64 of'],
    ['no key', manifest({ public_key: null }), 'public_key: must be a text, not null'],
    ['no field types', manifest({ field_types: [] }), 'field_types: must have at least one entry'],
    [
      '51 field types',
      manifest({ field_types: Array.from({ length: 51 }, () => place) }),
      'field_types: must have at most 50',
    ],
    ['a field type twice', manifest({ field_types: [place, place] }), 'field_types: has "place" twice'],
    ['a key of 41 characters', withType({ key: 'x'.repeat(41) }), 'field_types.0.key: must begin with a-z'],
    [
      '101 blocks',
      withType({ blocks: Array.from({ length: 101 }, () => block) }),
      'field_types.0.blocks: must have at most 100',
    ],
    ['a block twice', withType({ blocks: [block, block] }), 'field_types.0.blocks: has "country" twice'],
    [
      'a block called id',
      withType({ blocks: [{ ...block, key: 'id' }] }),
      'field_types.0.blocks.0.key: must not be "id"',
    ],
    [
      'an output called id',
      withType({ outputs: [{ key: 'id', type: 'text', label: 'I' }] }),
      'outputs.0.key: must not be "id"',
    ],
    [
      'a list as kind',
      withType({ blocks: [{ ...block, kind: ['text'] }] }),
      'blocks.0.kind: must be one of search_select, text, number, date, not a list',
    ],
    [
      'itself as dependency',
      withType({ blocks: [{ ...block, depends_on: ['country'] }] }),
      'blocks.0.depends_on: must not name its own block',
    ],
    ['a later dependency', withType({ blocks: place.blocks.toReversed() }), 'which is no earlier block'],
    [
      'a block and an output alike',
      withType({ outputs: [{ key: 'city', type: 'text', label: 'C' }] }),
      'field_types.0.outputs: "city" is also the key of a block',
    ],
    [
      'required as text',
      withType({ inputs: [{ ...place.inputs[0], required: 'yes' }] }),
      'inputs.0.required: must be true or false, not a string',
    ],
    ['an input twice', withType({ inputs: [place.inputs[0], place.inputs[0]] }), 'inputs: has "from" twice'],
    [
      'a text as dependency',
      withType({ blocks: [block, { ...block, key: 'city', depends_on: 'country' }] }),
      'depends_on: must be a list, not a string',
    ],
    ['no blocks', withType({ blocks: undefined }), 'field_types.0.blocks: must be a list, not absent'],
    ['no outputs', withType({ outputs: null }), 'field_types.0.outputs: must be a list, not null'],
    [
      'an input without required',
      withType({ inputs: [{ key: 'a', type: 'date', label: 'A' }] }),
      'inputs.0.required: must be true or false, not absent',
    ],
    ['a field type called id', withType({ key: 'id' }), 'field_types.0.key: must not be "id"'],
    ['an inherited member', Object.create(manifest()) as unknown, 'name: must be a text, not absent'],
  ])('%s', (_, value, problem) => {
    expect(problemsOf(value).some((found) => found.includes(problem))).toBe(true)
  })
})

test('an output may have the key of an input', () => {
  const inputs = [{ key: 'zone', type: 'number', label: 'Z', required: true }]
  expect(problemsOf(manifest({ field_types: [{ ...place, inputs }] }))).toEqual([])
})
