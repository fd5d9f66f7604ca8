import { expect, test } from 'vitest'
import { createAskAges } from './age.ts'

const MINUTE_MS = 60_000
const sentAt = (atMs: number, process = 'one') => ({ process, atMs, waitsMs: 3_000 })

test('an ask that was held up for longer than its asker waits is too old, whatever the clocks show', () => {
  for (const offsetMs of [-5_000_000, 0, 90_000]) {
    const ages = createAskAges()
    expect(ages.isTooOld(sentAt(1_000), 1_020 + offsetMs)).toBe(false)
    expect(ages.isTooOld(sentAt(2_000), 14_000 + offsetMs)).toBe(true)
    expect(ages.isTooOld(sentAt(12_000), 14_000 + offsetMs)).toBe(false)
    expect(ages.isTooOld(sentAt(14_000), 14_010 + offsetMs)).toBe(false)
  }
})

test('each asking process has its own clock', () => {
  const ages = createAskAges()
  expect(ages.isTooOld(sentAt(1_000), 1_020)).toBe(false)
  expect(ages.isTooOld(sentAt(500_000, 'two'), 1_030)).toBe(false)
  expect(ages.isTooOld(sentAt(3, 'three'), 900_000)).toBe(false)
})

test('clocks that drift apart make no ask too old', () => {
  const ages = createAskAges()
  const verdicts = Array.from({ length: 24 * 60 }, (_, minute) =>
    ages.isTooOld(sentAt(minute * MINUTE_MS), minute * MINUTE_MS * 1.0001),
  )
  expect(verdicts).not.toContain(true)
})
