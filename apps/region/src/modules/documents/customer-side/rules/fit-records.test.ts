import { expect, test } from 'vitest'
import { fitRecords } from './fit-records.ts'

const MB = 1024 * 1024
const documents = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `d${String(place).padStart(3, '0')}`, bytes }))

test('a record has its newest documents, newest first', () => {
  const [record] = fitRecords([{ connection: 'c', documents: documents(60, 10) }], 50)
  expect(record?.documents.map(({ id }) => id)).toEqual(
    documents(60, 10)
      .map(({ id }) => id)
      .toReversed()
      .slice(0, 50),
  )
})

test('large documents end a record early, but not before the first', () => {
  const kept = (bytes: number) => fitRecords([{ connection: 'c', documents: documents(50, bytes) }], 50)[0]?.documents
  expect(kept(MB / 4)).toHaveLength(4)
  expect(kept(MB / 4 + 1)).toHaveLength(3)
  expect(kept(2 * MB)).toHaveLength(1)
  expect(kept(0)).toHaveLength(50)
})

test('large records end the answer early, but not before the first', () => {
  const records = (count: number, bytes: number) =>
    Array.from({ length: count }, (_, place) => ({ connection: place, documents: documents(1, bytes) }))
  const kept = (count: number, bytes: number) =>
    fitRecords(records(count, bytes), 50).map(({ connection }) => connection)
  expect(kept(6, MB)).toEqual([0, 1, 2, 3])
  expect(kept(2, 5 * MB)).toEqual([0])
  expect(kept(100, 100)).toHaveLength(100)
  expect(kept(0, 0)).toEqual([])
})
