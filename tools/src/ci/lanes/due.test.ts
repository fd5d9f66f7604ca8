import { expect, test } from 'vitest'
import { dueLanes } from './due.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const names = ['a', 'b', 'c', 'd']
const green = { commit: '1234567', date: '2026-01-01' }
const all = new Map(names.map((name) => [name, green]))
const nothingChanged = () => null

test('a lane without a green run is due', () => {
  const record = new Map([...all].filter(([name]) => name !== 'b'))
  expect(dueLanes(names, record, nothingChanged, 0)).toContainEqual({
    name: 'b',
    reason: expect.stringContaining('no green run'),
  })
})

test('a lane whose closure has changed is due, with the change as its reason', () => {
  const changed = (name: string) => (name === 'c' ? 'io/bus changed' : null)
  expect(dueLanes(names, all, changed, 0)).toContainEqual({ name: 'c', reason: 'io/bus changed' })
})

test('besides, one lane is due by the date, and each of them within as many days as there are lanes', () => {
  const days = names.map((_, day) => dueLanes(names, all, nothingChanged, day * DAY_MS))
  for (const due of days) expect(due).toHaveLength(1)
  expect(new Set(days.flat().map(({ name }) => name))).toEqual(new Set(names))
})

test('when all are due anyway, none is added', () => {
  expect(dueLanes(names, new Map(), nothingChanged, 0)).toHaveLength(names.length)
})
