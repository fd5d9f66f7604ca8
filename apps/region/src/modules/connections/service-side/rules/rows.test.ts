import { buildRegistry, seedRows } from '@sealpost/field-types'
import { expect, test } from 'vitest'
import type { RequestRow } from '../../../services/index.ts'
import { arrangeRows, isAsked, laneOf } from './rows.ts'

const registry = buildRegistry(seedRows)

test.each([
  ['both', 'person', true],
  ['both', 'company', true],
  ['person', 'person', true],
  ['person', 'company', false],
  ['company', 'company', true],
  ['company', 'person', false],
] as const)('a row for %s asks a %s: %s', (audience, customerType, isOne) => {
  expect(isAsked({ audience }, customerType)).toBe(isOne)
})

test.each([
  ['email', 'inline'],
  ['photo', 'photo'],
  ['passport', 'document'],
  ['plugin', 'inline'],
])('a row of type %s is answered in the lane %s', (type, lane) => {
  expect(laneOf(registry, { type })).toBe(lane)
})

test('rows are found by id and by whom they ask, in their order', () => {
  const row = (id: string, audience: RequestRow['audience']) => ({ id, audience }) as RequestRow
  const [one, two, three] = [row('1', 'person'), row('2', 'both'), row('3', 'company')] as const
  const known = arrangeRows([one, two, three], 7)
  expect(known).toMatchObject({ rev: 7, all: [one, two, three] })
  expect([...known.byId]).toEqual([one, two, three].map((its) => [its.id, its]))
  expect(known.asked).toEqual({ person: [one, two], company: [two, three] })
})
