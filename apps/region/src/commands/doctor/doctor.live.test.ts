import type { WebhookId } from '@sealpost/kernel'
import { openWorld, scaled, type Webhook } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { turnSwitches } from '../../modules/access/index.ts'
// oxlint-disable-next-line sealpost/modules -- an answer that is never finished, which no client can make on purpose
import { drainPage } from '../../modules/feed/operations/drain.ts'
import { runCommand } from '../testing/run-command.ts'
import { diagnose } from './index.ts'

// Of its own, because the switches of the operator are for all companies of a region.
const world = await openWorld({ own: true })

async function openHook() {
  const service = await world.service()
  return { service, hook: await service.webhook() }
}

async function failingHook(status: number) {
  const opened = await openHook()
  opened.hook.receiver.behave(() => status)
  await opened.service.append()
  await opened.hook.becomes('bad')
  return opened
}

/** Without a pause between the two reads. */
const doctor = (...args: readonly string[]): Promise<string> => diagnose(world.eu, args, () => Promise.resolve())
const report = (hook: Webhook): Promise<string> => doctor('webhook', hook.id)
/** As the report writes a time. */
const timeIn = (laterMs: number): string => `${world.time(laterMs).slice(0, 19).replace('T', ' ')} UTC`

describe('doctor webhook', () => {
  test('explains a failing endpoint from its real deliveries', async () => {
    const { service, hook } = await failingHook(403)
    const text = await report(hook)
    expect(text).toContain(`webhook ${hook.id} of service ${service.serviceId}`)
    expect(text).toContain(`state bad since ${timeIn(0)} (0 min ago)`)
    expect(text).toContain(`backlog of 1, the oldest of ${timeIn(0)}`)
    expect(text).toContain('its endpoint failed: answered 403; usually the receiver does not accept our authentication')
    expect(text).toContain(`the next probe comes at ${timeIn(600_000)}`)
  })

  test('recognises an endpoint that does not listen', async () => {
    const { service, hook } = await openHook()
    const gone = hook.receiver.url
    await hook.receiver.close()
    await service.append()
    await hook.becomes('bad')
    const text = await report(hook)
    expect(text).toContain('nothing listens there')
    expect(text).toContain(new URL(gone).host)
  })

  test('a running webhook has no problem', async () => {
    const { service, hook } = await openHook()
    await service.append()
    await hook.receiver.take(1)
    await expect.poll(() => report(hook), { timeout: scaled(15_000) }).toContain('nothing waits:\n- it runs')
  })

  test('explains switches of the company: paused, disabled', async () => {
    const { service, hook } = await openHook()
    await hook.post('pause')
    await service.append()
    expect(await report(hook)).toContain('the company paused the webhook')
    await hook.post('resume')
    await hook.change({ enabled: false })
    expect(await report(hook)).toContain('the company disabled the webhook')
  })

  test('explains switches of the operator: the level, paused writes, out of order', async () => {
    const { service, hook } = await openHook()
    await service.company.setLevel('free')
    expect(await report(hook)).toContain('is free, which has no webhooks')
    await service.company.setLevel('pro')
    await turnSwitches(world.eu.platform, { writesPaused: true })
    expect(await report(hook)).toContain('writes are paused in eu')
    await turnSwitches(world.eu.platform, { writesPaused: false, outOfOrder: true })
    expect(await report(hook)).toContain('eu is out of order')
    await turnSwitches(world.eu.platform, { outOfOrder: false })
  })

  test('reports the worker that is sending', async () => {
    const { service, hook } = await openHook()
    const { promise, resolve } = Promise.withResolvers<number>()
    hook.receiver.behave(() => promise)
    await service.append()
    await hook.receiver.take(1)
    expect(await report(hook)).toContain('a worker holds it until')
    resolve(200)
    await hook.becomes('running')
  })

  test('reports a manual drain', async () => {
    const { service, hook } = await failingHook(500)
    const { company, serviceId } = service
    const owner = { kind: 'service', companyId: company.companyId, serviceId } as const
    const webhookId = hook.id as WebhookId
    await drainPage(world.eu.modules.feed, { owner, limit: 10, listener: null, webhookId, attemptId: null })
    const text = await report(hook)
    expect(text).toContain('a manual drain has leased a page of the backlog until')
    expect(text).toContain('its endpoint failed: answered 500')
  })

  test('refuses an unknown id, another region and wrong arguments with a hint', async () => {
    const { hook } = await openHook()
    await expect(doctor('webhook', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')).rejects.toThrow('in another region')
    await expect(diagnose(world.us, ['webhook', hook.id], () => Promise.resolve())).rejects.toThrow('in us')
    await expect(doctor('webhook', 'x')).rejects.toThrow(/^x is not the id of a webhook.* webhook <webhook id>$/)
    await expect(doctor('webhooks')).rejects.toThrow('webhook <webhook id>')
  })
})

test(
  'as a process: without arguments it reports the messages between regions',
  { timeout: scaled(60_000) },
  async () => {
    const inProcess = (...args: readonly string[]) => runCommand('doctor', world.environment.eu, ...args)
    expect(await inProcess()).toMatch(/^no message is blocked\nstandbys: none is waited for/)
    const unknown = inProcess('webhook', '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182')
    await expect(unknown).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('no webhook') })
  },
)

test('reports a proxy that the settings do not name', async () => {
  const { platform } = world.eu
  const withSettings = (trusted: readonly string[]) => {
    const REGIONS = platform.settings.REGIONS.map((region) => ({ ...region, apiUrl: 'https://eu.example' }))
    const settings = { ...platform.settings, REGIONS, TRUSTED_PROXIES: trusted }
    return diagnose({ ...world.eu, platform: { ...platform, settings } }, [], () => Promise.resolve())
  }
  expect(await withSettings([])).toContain('https://eu.example is served through a proxy and TRUSTED_PROXIES is empty')
  expect(await withSettings(['10.0.0.1'])).not.toContain('TRUSTED_PROXIES')
})

test('in a region without a worker everything is due and not claimed', async () => {
  const alone = await openWorld({ settings: { REGION_ROLES: 'api' } })
  const service = await alone.service()
  const idle = await service.webhook()
  await service.append()
  const text = await diagnose(alone.eu, ['webhook', idle.id], () => Promise.resolve())
  expect(text).toContain('it is due and no worker has taken it')
  expect(text).toContain('worker in REGION_ROLES')
})
