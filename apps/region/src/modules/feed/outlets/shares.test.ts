import { expect, test } from 'vitest'
import { isFair, mayTake } from './shares.ts'

/** So many companies that want everything, one after the other, round and round. */
function settled(places: number, companies: number): { readonly held: readonly number[]; readonly free: number } {
  const held = Array.from({ length: companies }, () => 0)
  let free = places
  for (let isAny = true; isAny;) {
    isAny = false
    for (const [who, count] of held.entries()) {
      if (!mayTake(count, free)) continue
      held[who] = count + 1
      free -= 1
      isAny = true
    }
  }
  return { held, free }
}

test('one company gets three quarters, two three sevenths each, and so on', () => {
  expect(settled(2000, 1)).toEqual({ held: [1500], free: 500 })
  expect(settled(2100, 2)).toEqual({ held: [900, 900], free: 300 })
  expect(settled(4, 1)).toEqual({ held: [3], free: 1 })
})

test('however many companies want everything, one that has nothing finds a place as long as they are fewer than places', () => {
  for (const places of [2, 3, 4, 7, 50, 256])
    for (let companies = 1; companies < places; companies += 1) {
      const { held, free } = settled(places, companies)
      expect(free).toBeGreaterThanOrEqual(1)
      expect(Math.min(...held)).toBeGreaterThanOrEqual(1)
      expect(mayTake(0, free)).toBe(true)
    }
})

test('the only place goes to whoever comes first, and nobody gives up the only one that it has', () => {
  expect(mayTake(0, 1)).toBe(true)
  expect(isFair(1, 0)).toBe(true)
  expect(mayTake(0, 0)).toBe(false)
})
