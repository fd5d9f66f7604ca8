import { expect, test } from 'vitest'
import { cryptoPlatform } from '../../../platform/crypto-platform.ts'
import { makeKeys, manifestOf } from '../../../testing/plugin-server.ts'
import { readManifest } from './read-manifest.ts'

const manifest = manifestOf(await makeKeys())
const [type = {}] = manifest['field_types'] as Record<string, unknown>[]
const read = (value: unknown) => readManifest(cryptoPlatform, value)
const withType = (members: object) => ({ ...manifest, field_types: [{ ...type, ...members }] })
const block = { key: 'plan', kind: 'text', label: 'Plan' }

test('a manifest is read without members that are not known, at every depth', () => {
  const extended = {
    ...withType({ extra: 1, blocks: [{ ...block, extra: 1 }], inputs: [], outputs: [] }),
    extra: { deep: true },
  }
  expect(read(extended)).toEqual({
    ok: true,
    value: { ...manifest, field_types: [{ key: 'tariff', label: 'Tariff', blocks: [block], inputs: [], outputs: [] }] },
  })
})

const rollover = { previous_sha256: 'a'.repeat(64), public_key: 'a key', signature: 'by the former key' }

test('a manifest says how former keys vouch for the present one', () => {
  const vouched = { ...manifest, key_rollovers: [{ ...rollover, extra: 1 }] }
  expect(read(vouched)).toMatchObject({ ok: true, value: { key_rollovers: [rollover] } })
  expect(read(manifest)).toMatchObject({ ok: true, value: expect.not.objectContaining({ key_rollovers: [] }) })
})

test.each<[string, unknown]>([
  ['null', null],
  ['a list', []],
  ['without a key', { ...manifest, public_key: undefined }],
  ['without field types', { ...manifest, field_types: undefined }],
  ['with two types of one key', { ...manifest, field_types: [type, type] }],
  ['with an unknown block kind', withType({ blocks: [{ ...block, kind: 'html' }] })],
  ['with two blocks of one key', withType({ blocks: [block, block] })],
  ['with a block and an output of one key', withType({ blocks: [{ ...block, key: 'price' }] })],
  ['with a block named id', withType({ blocks: [{ ...block, key: 'id' }] })],
  ['with a block that depends on itself', withType({ blocks: [{ ...block, depends_on: ['plan'] }] })],
  [
    'with a block that depends on a later one',
    withType({
      blocks: [
        { ...block, depends_on: ['next'] },
        { ...block, key: 'next' },
      ],
    }),
  ],
  ['with a key of capitals', withType({ key: 'Tariff' })],
  ['with a rollover without a signature', { ...manifest, key_rollovers: [{ ...rollover, signature: undefined }] }],
  [
    'with the digest of a rollover in capitals',
    { ...manifest, key_rollovers: [{ ...rollover, previous_sha256: 'A'.repeat(64) }] },
  ],
  ['with seventeen rollovers', { ...manifest, key_rollovers: Array.from({ length: 17 }, () => rollover) }],
  ['with rollovers that are no list', { ...manifest, key_rollovers: rollover }],
  ['with an unknown output type', withType({ outputs: [{ key: 'price', type: 'money', label: 'Price' }] })],
])('a manifest %s is malformed', (_what, value) => {
  expect(read(value)).toEqual({ ok: false, refusal: 'malformed' })
})

test('a block may depend on an earlier one', () => {
  expect(read(withType({ blocks: [block, { ...block, key: 'next', depends_on: ['plan'] }] })).ok).toBe(true)
})

test('a key that is no RSA-2048 key is told apart', () => {
  expect(read({ ...manifest, public_key: 'AAAA' })).toEqual({ ok: false, refusal: 'key_invalid' })
})
