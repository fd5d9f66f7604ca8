import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { listModules } from '../compose.ts'
import { runChores } from './upkeep.ts'

const DAY_MS = 86_400_000

// Of its own, because chores are for all companies, two days later.
const world = await openWorld({ own: true })
const service = await world.service()

test('runChores runs every chore although one fails, and none while writes are paused', async () => {
  const hook = await service.webhook()
  hook.receiver.behave(() => 500)
  await service.append()
  await hook.becomes('bad')
  world.clock.advance(2 * DAY_MS)
  const countMails = async () => (await service.logs()).filter((row) => row['type'] === 'email').length

  const { platform, modules } = world.eu
  let begun = 0
  const failing = {
    what: 'answers kept for Idempotency-Keys',
    run(): Promise<never> {
      begun += 1
      return Promise.reject(new Error('no'))
    },
  }
  const chores = [failing, ...listModules(modules).flatMap((module) => module.chores ?? [])]
  await runChores({ ...platform, isPaused: () => Promise.resolve(true) }, chores)
  expect(begun).toBe(0)
  await runChores(platform, chores)
  expect(begun).toBe(1)
  // A queue whose delivery is under way is alerted by a later run.
  const mailsAfterARun = async () => {
    await runChores(platform, chores)
    return countMails()
  }
  await expect.poll(mailsAfterARun).toBe(1)
  expect(world.telemetry.text()).toContain('Idempotency-Keys could not be tidied up')
})
