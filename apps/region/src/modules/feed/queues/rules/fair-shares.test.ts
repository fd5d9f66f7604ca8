import { expect, test } from 'vitest'
import { isFairShare, mayTakeSlot } from './fair-shares.ts'

/** The final distribution when each company in turn takes every slot that it may take. */
function distribute(slots: number, companies: number): { readonly held: readonly number[]; readonly free: number } {
  const held = Array.from({ length: companies }, () => 0)
  let free = slots
  for (let isAny = true; isAny;) {
    isAny = false
    for (const [company, count] of held.entries()) {
      if (!mayTakeSlot(count, free)) continue
      held[company] = count + 1
      free -= 1
      isAny = true
    }
  }
  return { held, free }
}

test('one company gets three quarters of the slots, two get three sevenths each, and so on', () => {
  expect(distribute(2000, 1)).toEqual({ held: [1500], free: 500 })
  expect(distribute(2100, 2)).toEqual({ held: [900, 900], free: 300 })
  expect(distribute(4, 1)).toEqual({ held: [3], free: 1 })
})

test('a company without a slot finds a free one, as long as there are fewer companies than slots', () => {
  for (const slots of [2, 3, 4, 7, 50, 256])
    for (let companies = 1; companies < slots; companies += 1) {
      const { held, free } = distribute(slots, companies)
      expect(free).toBeGreaterThanOrEqual(1)
      expect(Math.min(...held)).toBeGreaterThanOrEqual(1)
      expect(mayTakeSlot(0, free)).toBe(true)
    }
})

test('the last slot goes to the first company that asks, and a company keeps its only slot', () => {
  expect(mayTakeSlot(0, 1)).toBe(true)
  expect(isFairShare(1, 0)).toBe(true)
  expect(mayTakeSlot(0, 0)).toBe(false)
})
