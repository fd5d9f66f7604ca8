import { expect, onTestFinished, test, vi } from 'vitest'
import { startPoll } from './poll.ts'

test('a look that fails is told and never the last one', async () => {
  let looks = 0
  const errors: unknown[] = []
  const poll = startPoll(
    1,
    async () => {
      looks += 1
      if (looks < 4) throw new Error(`look ${looks}`)
      return looks < 20
    },
    (error) => void errors.push(error),
  )
  onTestFinished(() => poll.stop())
  await vi.waitFor(() => expect(looks).toBeGreaterThan(20))
  expect(errors).toHaveLength(3)
})

test('stopping waits for the look under way and begins no other', async () => {
  const under = Promise.withResolvers<void>()
  let looks = 0
  const poll = startPoll(
    1,
    async () => {
      looks += 1
      await under.promise
      return true
    },
    () => {},
  )
  await vi.waitFor(() => expect(looks).toBe(1))
  let isStopped = false
  const stopping = poll.stop().then(() => {
    isStopped = true
  })
  await new Promise((resolve) => void setImmediate(resolve))
  expect(isStopped).toBe(false)
  under.resolve()
  await stopping
  expect(looks).toBe(1)
})
