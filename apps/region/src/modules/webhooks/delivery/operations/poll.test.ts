import { expect, onTestFinished, test } from 'vitest'
import { startPoll } from './poll.ts'

test('a failed poll is reported and followed by another one', async () => {
  let polls = 0
  const errors: unknown[] = []
  const poll = startPoll(
    1,
    async () => {
      polls += 1
      if (polls < 4) throw new Error(`poll ${polls}`)
      return polls < 20
    },
    (error) => void errors.push(error),
  )
  onTestFinished(() => poll.stop())
  await expect.poll(() => polls).toBeGreaterThan(20)
  expect(errors).toHaveLength(3)
})

test('stop waits for the current poll and starts no other', async () => {
  const ending = Promise.withResolvers<void>()
  let polls = 0
  const poll = startPoll(
    1,
    async () => {
      polls += 1
      await ending.promise
      return true
    },
    () => {},
  )
  await expect.poll(() => polls).toBe(1)
  let isStopped = false
  const stopping = poll.stop().then(() => {
    isStopped = true
  })
  await new Promise((resolve) => void setImmediate(resolve))
  expect(isStopped).toBe(false)
  ending.resolve()
  await stopping
  expect(polls).toBe(1)
})
