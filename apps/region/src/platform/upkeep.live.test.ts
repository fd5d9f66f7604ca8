import { openHooks, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listModules } from '../compose.ts'
import { runChores } from './upkeep.ts'

const DAY_MS = 86_400_000
let two: TwoRegions

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())

test('runChores runs every chore although one fails, and none while writes are paused', async () => {
  const hooks = await openHooks(two)
  const hook = await hooks.hook()
  hook.receiver.behave(() => 500)
  await hooks.append()
  await hook.becomes('bad')
  two.clock.advance(2 * DAY_MS)
  const countMails = async () => (await hooks.logs()).filter((row) => row['type'] === 'email').length

  const { platform, modules } = two.eu
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
  expect(await countMails()).toBe(1)
  expect(two.telemetry.text()).toContain('Idempotency-Keys could not be tidied up')
  await hooks.close()
})
