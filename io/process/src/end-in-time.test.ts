import { expect, test } from 'vitest'
import { endInTime } from './end-in-time.ts'

test('a process that ends first reports that it is not ready, and serves until the drain is over', async () => {
  const acts: string[] = []
  const running = {
    drain() {
      acts.push('drain')
      setTimeout(() => acts.push('serve'), 10)
    },
    async close() {
      acts.push('close')
    },
  }
  await endInTime(running, 0.1, 10)
  expect(acts).toEqual(['drain', 'serve', 'close'])
})

test('closing that never ends is abandoned with a reason', async () => {
  const ending = endInTime({ close: () => new Promise(() => {}) }, 0, 0.02)
  await expect(ending).rejects.toThrow('not closed after 0.02 s')
})

test('an error while closing is passed on', async () => {
  const ending = endInTime({ close: () => Promise.reject(new Error('the pool is stuck')) }, 0, 10)
  await expect(ending).rejects.toThrow('the pool is stuck')
})
