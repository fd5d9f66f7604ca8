import { openWorld, scaled, type Webhook } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { idsOf } from './testing/webhooks.ts'

const REPEATS = 6

const world = await openWorld()
const service = await world.service()
const { company } = service

test('concurrent commands, deliveries, failures and level changes of webhooks do not deadlock', async () => {
  const all = [await service.webhook(), await service.webhook({ auth_type: 'none' }), await service.webhook()]
  const flaky = all[1]
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    flaky?.receiver.behave(() => (repeat % 2 === 0 ? 500 : 200))
    const level = repeat % 2 === 0 ? 'free' : 'pro'
    const answers = await Promise.all([
      ...all.flatMap((hook) => commandsOn(hook, repeat)),
      service.append({}, {}, {}).then(() => ({ status: 200 })),
      company.setLevel(level).then(() => ({ status: 200 })),
      service.append({}, {}).then(() => ({ status: 200 })),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([])
  }
  await company.setLevel('pro')
  for (const hook of all) await restore(hook)
  const [last] = await service.append({})
  for (const hook of all) {
    await expect.poll(() => idsOf(hook.receiver.all), { timeout: scaled(30_000) }).toContain(last)
  }
  expect(world.telemetry.text()).not.toContain('deadlock')
})

function commandsOn(hook: Webhook, repeat: number): readonly Promise<{ readonly status: number }>[] {
  return [
    hook.change({ enabled: repeat % 3 !== 0, format: repeat % 2 === 0 ? 'json' : 'xml' }),
    hook.post('regenerate-hmac-secret'),
    hook.post('pause'),
    hook.post('probe'),
    hook.post('replay', {}),
    hook.post('resume'),
    hook.change({ events: repeat % 2 === 0 ? ['connection_created'] : [] }),
  ]
}

async function restore(hook: Webhook): Promise<void> {
  hook.receiver.behave(() => 200)
  expect((await hook.change({ enabled: true, events: [] })).status).toBe(200)
  expect((await hook.post('resume')).status).toBe(200)
  expect((await hook.post('probe')).status).toBe(200)
  await hook.becomes('running')
}
