import { expect, test } from 'vitest'
import { createBoundedCache } from './bounded-cache.ts'

test('the value that was set first makes room, however often it is read', () => {
  const cache = createBoundedCache<string, number>({ most: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, 2, 3])
  expect(cache.size).toBe(2)
})

test('a value that is set again is the newest', () => {
  const cache = createBoundedCache<string, number>({ most: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('a', 10)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([10, undefined, 3])
})

test('it stays bounded through any order of sets, deletions and clearings', () => {
  const cache = createBoundedCache<number, number>({ most: 10 })
  const kept: number[] = []
  for (let step = 0; step < 5000; step += 1) {
    const key = (step * 7919) % 37
    const place = kept.indexOf(key)
    if (place >= 0) kept.splice(place, 1)
    if (step % 5 === 0) cache.delete(key)
    else {
      cache.set(key, step)
      kept.push(key)
      if (kept.length > 10) kept.shift()
    }
    if (step % 997 === 0) {
      cache.clear()
      kept.length = 0
    }
    expect(cache.size).toBe(kept.length)
    expect(kept.every((one) => cache.get(one) !== undefined)).toBe(true)
  }
})

test('making room costs about the same for small and large caches', () => {
  const costOf = (most: number): number => {
    const cache = createBoundedCache<number, number>({ most })
    for (let key = 0; key < most; key += 1) cache.set(key, key)
    const started = performance.now()
    for (let key = 0; key < 100_000; key += 1) cache.set(most + key, key)
    return performance.now() - started
  }
  costOf(100)
  // With a new iterator for each eviction the factor is above 50.
  expect(costOf(50_000)).toBeLessThan(20 * costOf(100) + 50)
})

test('remember makes a value once and keeps null, but not undefined', () => {
  const cache = createBoundedCache<string, number | null | undefined>({ most: 2 })
  let made = 0
  const make = (value: number | null | undefined) => () => {
    made += 1
    return value
  }
  expect([cache.remember('a', make(null)), cache.remember('a', make(1))]).toEqual([null, null])
  expect(made).toBe(1)
  expect([cache.remember('b', make(undefined)), cache.remember('b', make(2))]).toEqual([undefined, 2])
})

test('a value counts until its time is over, and again when it is set again', () => {
  let now = 0
  const cache = createBoundedCache<string, number>({ most: 2, expiry: { keepMs: 1000, now: () => now } })
  cache.set('a', 1)
  now = 999
  expect(cache.get('a')).toBe(1)
  now = 1000
  expect(cache.get('a')).toBeUndefined()
  expect(cache.size).toBe(0)
  cache.set('a', 2)
  now = 1999
  expect(cache.get('a')).toBe(2)
})

test('values that are too old leave by themselves while others are set', () => {
  let now = 0
  const cache = createBoundedCache<number, number>({ most: 1000, expiry: { keepMs: 10, now: () => now } })
  for (; now < 500; now += 1) cache.set(now, now)
  expect(cache.size).toBeLessThan(12)
  cache.set(-1, 1, 100)
  now += 99
  expect(cache.get(-1)).toBe(1)
  now += 1
  expect(cache.get(-1)).toBeUndefined()
  for (let key = 0; key < 20; key += 1) cache.set(key, key)
  expect(cache.size).toBe(20)
})
