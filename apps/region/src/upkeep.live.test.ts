import { openHooks, startTwoRegions, type TwoRegions } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runChores } from './upkeep.ts'

const DAY_MS = 86_400_000
let two: TwoRegions

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())

test('a round does every chore, also beside one that fails; none while writes are paused', async () => {
  const hooks = await openHooks(two)
  const hook = await hooks.hook()
  hook.receiver.behave(() => 500)
  await hooks.append()
  await hook.becomes('bad')
  two.clock.advance(2 * DAY_MS)
  const told = async () => (await hooks.logs()).filter((row) => row['type'] === 'email').length

  const { core } = two.eu
  let begun = 0
  const removeExpired = (): Promise<never> => {
    begun += 1
    return Promise.reject(new Error('no'))
  }
  const failing = { ...core, idempotency: { ...core.idempotency, removeExpired } }
  await runChores({ ...failing, isPaused: () => Promise.resolve(true) })
  expect(begun).toBe(0)
  await runChores(failing)
  expect(begun).toBe(1)
  expect(await told()).toBe(1)
  expect(two.telemetry.text()).toContain('Idempotency-Keys could not be tidied up')
  await hooks.close()
})
