import { expect, test, vi } from 'vitest'
import { startRounds } from './rounds.ts'

test('a round that takes longer than the interval makes the next one wait, and closing waits for it', async () => {
  vi.useFakeTimers()
  try {
    const ends: (() => void)[] = []
    const rounds = startRounds(() => {
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      return promise
    }, 1000)
    await vi.advanceTimersByTimeAsync(5500)
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await vi.advanceTimersByTimeAsync(1000)
    expect(ends).toHaveLength(2)

    let isClosed = false
    const closing = rounds.close().then(() => {
      isClosed = true
    })
    await vi.advanceTimersByTimeAsync(5000)
    expect([isClosed, ends.length]).toEqual([false, 2])
    ends[1]?.()
    await closing
  } finally {
    vi.useRealTimers()
  }
})
