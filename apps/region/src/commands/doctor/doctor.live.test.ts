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
import { turnSwitches } from '../../modules/access/index.ts'
// oxlint-disable-next-line sealpost/modules -- an answer that is never finished, which no client can make on purpose
import { drainPage } from '../../modules/feed/operations/drain.ts'
import { diagnose } from './index.ts'

const SCRIPT = fileURLToPath(new URL('./main.ts', import.meta.url))
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

/** Without a pause between the two reads. */
const doctor = (...args: readonly string[]): Promise<string> => diagnose(two.eu, args, () => Promise.resolve())

async function failWith(status: number): Promise<void> {
  hook.receiver.behave(() => status)
  await hooks.append()
  await hook.becomes('bad')
}

describe('doctor webhook', () => {
  test('explains a failing endpoint from its real deliveries', limits, async () => {
    await failWith(403)
    const text = await doctor('webhook', hook.id)
    expect(text).toContain(`webhook ${hook.id} of service ${hooks.desk.serviceId}`)
    expect(text).toContain('state bad since 2026-05-01 09:30:00 UTC (0 min ago)')
    expect(text).toContain('backlog of 1, the oldest of 2026-05-01 09:30:00 UTC')
    expect(text).toContain('its endpoint failed: answered 403; usually the receiver does not accept our authentication')
    expect(text).toContain('the next probe comes at 2026-05-01 09:40:00 UTC')
  })

  test('recognises an endpoint that does not listen', limits, async () => {
    const gone = hook.receiver.url
    await hook.receiver.close()
    await hooks.append()
    await hook.becomes('bad')
    const text = await doctor('webhook', hook.id)
    expect(text).toContain('nothing listens there')
    expect(text).toContain(new URL(gone).host)
  })

  test('a running webhook has no problem', limits, async () => {
    await hooks.append()
    await hook.receiver.take(1)
    const isIdle = async () => (await doctor('webhook', hook.id)).includes('nothing waits:\n- it runs')
    await waitUntil('nothing waits', 15_000, isIdle)
  })

  test('explains switches of the company: paused, disabled', limits, async () => {
    await hook.act('pause')
    await hooks.append()
    expect(await doctor('webhook', hook.id)).toContain('the company paused the webhook')
    await hook.act('resume')
    await hook.change({ enabled: false })
    expect(await doctor('webhook', hook.id)).toContain('the company disabled the webhook')
  })

  test('explains switches of the operator: the level, paused writes, out of order', limits, async () => {
    const { operations } = two.eu
    await operations.setLevel(northwind.companyId, 'free')
    expect(await doctor('webhook', hook.id)).toContain('is free, which has no webhooks')
    await operations.setLevel(northwind.companyId, 'pro')
    await turnSwitches(two.eu.platform, { writesPaused: true })
    expect(await doctor('webhook', hook.id)).toContain('writes are paused in eu')
    await turnSwitches(two.eu.platform, { writesPaused: false, outOfOrder: true })
    expect(await doctor('webhook', hook.id)).toContain('eu is out of order')
    await turnSwitches(two.eu.platform, { outOfOrder: false })
  })

  test('reports the worker that is sending', limits, async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    hook.receiver.behave(() => promise)
    await hooks.append()
    await hook.receiver.take(1)
    expect(await doctor('webhook', hook.id)).toContain('a worker holds it until')
    resolve(200)
    await hook.becomes('running')
  })

  test('reports a manual drain', limits, async () => {
    await failWith(500)
    const { companyId } = northwind
    const [serviceId, webhookId] = [hooks.desk.serviceId as ServiceId, hook.id as WebhookId]
    const owner = { kind: 'service', companyId, serviceId } as const
    await drainPage(two.eu.modules.feed, { owner, limit: 10, listener: null, webhookId, attemptId: null })
    const text = await doctor('webhook', hook.id)
    expect(text).toContain('a manual drain has leased a page of the backlog until')
    expect(text).toContain('its endpoint failed: answered 500')
  })

  test('refuses an unknown id, another region and wrong arguments with a hint', limits, async () => {
    await expect(doctor('webhook', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')).rejects.toThrow('in another region')
    await expect(diagnose(two.us, ['webhook', hook.id], () => Promise.resolve())).rejects.toThrow('in us')
    await expect(doctor('webhook', 'x')).rejects.toThrow(/^x is not the id of a webhook.* webhook <webhook id>$/)
    await expect(doctor('webhooks')).rejects.toThrow('webhook <webhook id>')
  })
})

test('as a process: without arguments it reports the messages between regions', { timeout: 120_000 }, async () => {
  const env = { ...process.env, ...two.environment.eu }
  const { stdout } = await run(process.execPath, [SCRIPT], { env })
  expect(stdout.trim()).toBe('no message is blocked')
  const unknown = run(process.execPath, [SCRIPT, 'webhook', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'], { env })
  await expect(unknown).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('no webhook') })
})

test('in a region without a worker everything is due and not claimed', { timeout: 120_000 }, async () => {
  const alone = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000', REGION_ROLES: 'api' })
  try {
    const desk = await openHooks(alone)
    const idle = await desk.hook()
    await desk.append()
    const text = await diagnose(alone.eu, ['webhook', idle.id], () => Promise.resolve())
    expect(text).toContain('it is due and no worker has taken it')
    expect(text).toContain('worker in REGION_ROLES')
    await desk.close()
  } finally {
    await alone.close()
  }
})
