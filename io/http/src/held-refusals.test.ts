import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openHeldRefusals } from './held-refusals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('of the refusals of a second twenty are sent at once, the next ones a second later, those of another caller at once', async () => {
  const refusals = openHeldRefusals()
  const of = (caller: string, count: number) => Array.from({ length: count }, () => refusals.hold(caller))
  expect(of('a', 20)).toEqual(Array.from({ length: 20 }, () => null))
  const [held] = of('a', 1)
  expect(held).toBeInstanceOf(Promise)
  expect(of('b', 1)).toEqual([null])
  let isSent = false
  void held?.then(() => (isSent = true))
  await vi.advanceTimersByTimeAsync(999)
  expect(isSent).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isSent).toBe(true)
  expect(of('a', 21).map((one) => one === null)).toEqual([...Array.from({ length: 20 }, () => true), false])
})

test('a caller has a limited number of refusals that wait; callers who ask no more are forgotten', async () => {
  const refusals = openHeldRefusals()
  const holds = Array.from({ length: 20 + 256 + 5 }, () => refusals.hold('a'))
  expect(holds.filter((one) => one !== null)).toHaveLength(256)
  expect(holds.slice(-5)).toEqual([null, null, null, null, null])
  expect(vi.getTimerCount()).toBe(257)
  await vi.advanceTimersByTimeAsync(3000)
  expect(vi.getTimerCount()).toBe(0)
})
