import { expandPluginAnswers } from '@sealpost/expression'
import { isPluginDescription } from '@sealpost/protocol'
import { propertySettings } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Block,
  BLOCK_KINDS,
  type FieldType,
  type Output,
  parseManifest,
  parseOptionsReply,
  parseOutputsReply,
  parseQuestion,
  type PluginOption,
  VALUE_TYPES,
  writeAnswer,
} from './index.ts'

/** As it should be, and once in a while not. */
const mostly = <T, U>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 40, arbitrary: good }, { weight: 1, arbitrary: bad })

const key = mostly(
  fc.stringMatching(/^[a-z][a-z0-9_]{0,3}$/),
  fc.constantFrom('id', '', 'Key', '__proto__', 'a'.repeat(41)),
)
const label = mostly(
  fc.string({ minLength: 1, maxLength: 5 }),
  fc.constantFrom('', ' ', '字'.repeat(1001), '🙂'.repeat(600)),
)
/** At times absent or of another type. */
const often = (value: fc.Arbitrary<unknown>) => mostly(value, fc.jsonValue())
const list = (value: fc.Arbitrary<unknown>) => often(fc.array(value, { maxLength: 3 }))
const member = (members: Record<string, fc.Arbitrary<unknown>>, optional: readonly string[] = []) =>
  fc.record(members, { requiredKeys: Object.keys(members).filter((name) => !optional.includes(name)) })

const block = member(
  {
    key: often(key),
    kind: often(fc.constantFrom(...BLOCK_KINDS)),
    label: often(label),
    depends_on: mostly(fc.constant([]), list(key)),
  },
  ['depends_on'],
)
const typed = { key: often(key), type: often(fc.constantFrom(...VALUE_TYPES)), label: often(label) }
const fieldType = member({
  key: often(key),
  label: often(label),
  blocks: list(block),
  inputs: list(member({ ...typed, required: often(fc.boolean()) })),
  outputs: list(member(typed)),
})
const manifest = member({ name: often(label), public_key: often(fc.constant('a key')), field_types: list(fieldType) })

describe('for any input', () => {
  test('a manifest that is read here is one that the platform stores', () => {
    let read = 0
    fc.assert(
      fc.property(manifest, (value) => {
        const parsed = parseManifest(value, (text) => text === 'a key')
        if (!parsed.ok) return
        read += 1
        expect(isPluginDescription(value)).toBe(true)
        expect(isPluginDescription(parsed.value)).toBe(true)
      }),
      propertySettings,
    )

    expect(read).toBeGreaterThan(0)
  })

  test('no reader throws', () => {
    const types: readonly FieldType[] = [
      { key: 'a', label: 'A', blocks: [{ key: 'b', kind: 'number', label: 'B' }], inputs: [], outputs: [] },
    ]
    const question = member({
      field_type: fc.constant('a'),
      op: fc.constantFrom('options', 'outputs'),
      reply_key: often(fc.string()),
      picks: fc.jsonValue(),
      values: fc.jsonValue(),
      inputs: fc.jsonValue(),
    })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          question.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const results = [parseQuestion(text, types), parseOptionsReply(text), parseOutputsReply(text, [])]
          for (const result of results) expect(typeof result.ok).toBe('boolean')
          expect(parseManifest(text, () => true).ok).toBe(false)
        },
      ),
      propertySettings,
    )
  })
})

const partKey = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((name) => name !== 'id')
const option = fc.record({ id: fc.string({ minLength: 1 }), label: fc.string({ minLength: 1 }) })

test('an answer expands to its labels, ids and outputs, and to nothing else', () => {
  const parts = fc.uniqueArray(partKey, { minLength: 2, maxLength: 6 })
  fc.assert(
    fc.property(
      parts,
      fc.array(option, { minLength: 6, maxLength: 6 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (keys, options, number) => {
        const [output = '', ...names] = keys
        const blocks: Block[] = names.map((name) => ({ key: name, kind: 'search_select', label: name }))
        const outputs: Output[] = [{ key: output, type: 'number', label: output }]
        const picks = new Map<string, PluginOption>(
          names.map((name, at) => [name, options[at] ?? { id: '', label: '' }]),
        )
        const text = writeAnswer(
          { plugin_name: 'P', blocks, outputs },
          't',
          { picks, values: new Map() },
          new Map([[output, number]]),
        )
        const expanded = expandPluginAnswers(new Map([['s', text]]), ['s'])
        const labels = names.map((name) => picks.get(name)?.label ?? '')
        const expected = new Map<string, unknown>([
          ['s', labels.join(' / ')],
          ...[...picks].flatMap(([name, pick]): [string, unknown][] => [
            [`s.${name}`, pick.label],
            [`s.${name}.id`, pick.id],
          ]),
          [`s.${output}`, JSON.parse(JSON.stringify(number))],
        ])
        expect(expanded).toEqual(expected)
      },
    ),
    propertySettings,
  )
})
