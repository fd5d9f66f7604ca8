import { expect, test } from 'vitest'
import { parseRecord } from './record.ts'

const act = {
  signer_first_name: 'Mara',
  signer_last_name: 'Müller',
  signer_name_verified: true,
  action: 'signed',
  method: 'biometric',
  created_at: '2026-05-01T09:10:00.000+00:00',
  position: 1,
}
const record = {
  format: 1,
  document_id: 'doc_7',
  document_name: 'Terms',
  signed_sha256: '00',
  sealed_at: '2026-05-01T09:11:00.000+00:00',
  acts: [act, { ...act, action: 'accepted', method: null, position: 2 }],
}
const parse = (value: unknown) => parseRecord(JSON.stringify(value))

test('a record, its unknown members included', () => {
  expect(parse(record)).toEqual(record)
  expect(parse({ ...record, acts: [], more: 1 })).toEqual({ ...record, acts: [], more: 1 })
})

test.each(Object.keys(record))('a record needs %s, with its type', (name) => {
  for (const value of [undefined, null, {}]) expect(parse({ ...record, [name]: value })).toBeNull()
})

test.each(Object.keys(act))('an act needs %s, with its type', (name) => {
  for (const value of [undefined, {}]) expect(parse({ ...record, acts: [act, { ...act, [name]: value }] })).toBeNull()
})

test.each(['', 'null', '7', '[]', '"a"', '{', '{}'])('%j is none', (text) => {
  expect(parseRecord(text)).toBeNull()
})

test('another format is none', () => {
  expect([
    parse({ ...record, format: 2 }),
    parse({ ...record, format: '1' }),
    parse({ ...record, acts: [null] }),
  ]).toEqual([null, null, null])
})
