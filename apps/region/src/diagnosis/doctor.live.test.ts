import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ServiceId, WebhookId } from '@sealpost/kernel'
import {
  type HookDesk,
  northwind,
  openHooks,
  startTwoRegions,
  type TestHook,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { turnSwitches } from '../modules/access/index.ts'
// oxlint-disable-next-line sealpost/modules -- an answer that is never finished, which no client can make on purpose
import { takePage } from '../modules/feed/drain.ts'
import { diagnose } from './index.ts'

const SCRIPT = fileURLToPath(new URL('../doctor.ts', import.meta.url))
const run = promisify(execFile)
const limits = { timeout: 60_000 }

let two: TwoRegions
let hooks: HookDesk
let hook: TestHook

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  hooks = await openHooks(two)
  hook = await hooks.hook()
})
afterEach(() => hooks.close())

/** Nothing moves between the two looks unless the test lets it. */
const ask = (...args: readonly string[]): Promise<string> => diagnose(two.eu.core, args, () => Promise.resolve())

async function failWith(status: number): Promise<void> {
  hook.receiver.behave(() => status)
  await hooks.append()
  await hook.becomes('bad')
}

describe('doctor webhook', () => {
  test('explains an endpoint that fails, from what really happened', limits, async () => {
    await failWith(403)
    const told = await ask('webhook', hook.id)
    expect(told).toContain(`webhook ${hook.id} of service ${hooks.desk.serviceId}`)
    expect(told).toContain('state bad since 2026-05-01 09:30:00 UTC (0 min ago)')
    expect(told).toContain('backlog of 1, the oldest of 2026-05-01 09:30:00 UTC')
    expect(told).toContain('its endpoint failed: answered 403; usually the receiver does not accept our authentication')
    expect(told).toContain('the next probe comes at 2026-05-01 09:40:00 UTC')
  })

  test('knows what nobody answers from what is refused', limits, async () => {
    const gone = hook.receiver.url
    await hook.receiver.close()
    await hooks.append()
    await hook.becomes('bad')
    const told = await ask('webhook', hook.id)
    expect(told).toContain('nothing listens there')
    expect(told).toContain(new URL(gone).host)
  })

  test('a webhook that runs has nothing wrong with it', limits, async () => {
    await hooks.append()
    await hook.receiver.take(1)
    const isIdle = async () => (await ask('webhook', hook.id)).includes('nothing waits:\n- it runs')
    await waitUntil('nothing waits', 15_000, isIdle)
  })

  test('what the company has set: paused, switched off', limits, async () => {
    await hook.act('pause')
    await hooks.append()
    expect(await ask('webhook', hook.id)).toContain('the company paused the webhook')
    await hook.act('resume')
    await hook.change({ enabled: false })
    expect(await ask('webhook', hook.id)).toContain('the company switched the webhook off')
  })

  test('what an operator has set: the level, the pause of writes', limits, async () => {
    const { operations } = two.eu.core
    await operations.setLevel(northwind.companyId, 'free')
    expect(await ask('webhook', hook.id)).toContain('is free, which has no webhooks')
    await operations.setLevel(northwind.companyId, 'pro')
    await turnSwitches(two.eu.core, { writesPaused: true })
    expect(await ask('webhook', hook.id)).toContain('writes are paused in eu')
    await turnSwitches(two.eu.core, { writesPaused: false, outOfOrder: true })
    expect(await ask('webhook', hook.id)).toContain('eu is out of order')
    await turnSwitches(two.eu.core, { outOfOrder: false })
  })

  test('a worker that is sending holds it', limits, async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    hook.receiver.behave(() => promise)
    await hooks.append()
    await hook.receiver.take(1)
    expect(await ask('webhook', hook.id)).toContain('a worker holds it until')
    resolve(200)
    await hook.becomes('running')
  })

  test('somebody who drains by hand holds a page', limits, async () => {
    await failWith(500)
    const { companyId } = northwind
    const [serviceId, webhookId] = [hooks.desk.serviceId as ServiceId, hook.id as WebhookId]
    const owner = { kind: 'service', companyId, serviceId } as const
    await takePage(two.eu.core.feed, { owner, limit: 10, listener: null, webhookId, attemptId: null })
    const told = await ask('webhook', hook.id)
    expect(told).toContain('somebody drains the backlog by hand and holds a page until')
    expect(told).toContain('its endpoint failed: answered 500')
  })

  test('an unknown one, another region and wrong words are refused with a way on', limits, async () => {
    await expect(ask('webhook', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')).rejects.toThrow('in another region')
    await expect(diagnose(two.us.core, ['webhook', hook.id], () => Promise.resolve())).rejects.toThrow('in us')
    await expect(ask('webhook', 'x')).rejects.toThrow(/^x is not the id of a webhook.* webhook <webhook id>$/)
    await expect(ask('webhooks')).rejects.toThrow('webhook <webhook id>')
  })
})

test('as a process: without words it tells of messages between regions, as ever', { timeout: 120_000 }, async () => {
  const env = { ...process.env, ...two.environment.eu }
  const { stdout } = await run(process.execPath, [SCRIPT], { env })
  expect(stdout.trim()).toBe('nothing holds messages up')
  const unknown = run(process.execPath, [SCRIPT, 'webhook', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'], { env })
  await expect(unknown).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('no webhook') })
})

test('in a region without a worker everything is due and nobody takes it', { timeout: 120_000 }, async () => {
  const alone = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000', REGION_ROLES: 'api' })
  try {
    const desk = await openHooks(alone)
    const idle = await desk.hook()
    await desk.append()
    const told = await diagnose(alone.eu.core, ['webhook', idle.id], () => Promise.resolve())
    expect(told).toContain('it is due and no worker has taken it')
    expect(told).toContain('worker in REGION_ROLES')
    await desk.close()
  } finally {
    await alone.close()
  }
})
