import { northwind, openHooks, startTwoRegions, type TestHook, type TwoRegions, waitUntil } from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

const REPEATS = 6
let two: TwoRegions

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())

test(
  'concurrent commands, deliveries, failures and level changes of webhooks do not deadlock',
  { timeout: 120_000 },
  async () => {
    const hooks = await openHooks(two)
    const all = [await hooks.hook(), await hooks.hook({ auth_type: 'none' }), await hooks.hook()]
    const flaky = all[1]
    const { operations } = two.eu
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      flaky?.receiver.behave(() => (repeat % 2 === 0 ? 500 : 200))
      const level = repeat % 2 === 0 ? 'free' : 'pro'
      const answers = await Promise.all([
        ...all.flatMap((hook) => commandsOn(hook, repeat)),
        hooks.append({}, {}, {}).then(() => ({ status: 200 })),
        operations.setLevel(northwind.companyId, level).then(() => ({ status: 200 })),
        hooks.append({}, {}).then(() => ({ status: 200 })),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([])
    }
    await operations.setLevel(northwind.companyId, 'pro')
    for (const hook of all) await restore(hook)
    const [last] = await hooks.append({})
    for (const hook of all) {
      await waitUntil('the last event has come', 30_000, () =>
        hook.receiver.all.some(({ eventId }) => eventId === last),
      )
    }
    expect(two.telemetry.text()).not.toContain('deadlock')
    await hooks.close()
  },
)

function commandsOn(hook: TestHook, repeat: number): readonly Promise<{ readonly status: number }>[] {
  return [
    hook.change({ enabled: repeat % 3 !== 0, format: repeat % 2 === 0 ? 'json' : 'xml' }),
    hook.act('regenerate-hmac-secret'),
    hook.act('pause'),
    hook.act('probe'),
    hook.act('replay', {}),
    hook.act('resume'),
    hook.change({ events: repeat % 2 === 0 ? ['connection_created'] : [] }),
  ]
}

async function restore(hook: TestHook): Promise<void> {
  hook.receiver.behave(() => 200)
  expect((await hook.change({ enabled: true, events: [] })).status).toBe(200)
  expect((await hook.act('resume')).status).toBe(200)
  expect((await hook.act('probe')).status).toBe(200)
  await hook.becomes('running')
}
