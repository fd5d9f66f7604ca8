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

const IN_TIME_MS = 20_000
let two: TwoRegions
let hooks: HookDesk

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000' })
})
afterAll(() => two.close())
beforeEach(async () => {
  hooks = await openHooks(two)
})
afterEach(() => hooks.close())

const idsOf = (hook: TestHook) => hook.receiver.all.map(({ eventId }) => eventId)
const created = { kind: 'connection_created' } as const
const deleted = { kind: 'connection_deleted' } as const

describe('events', () => {
  test('only the listed kinds are sent; an empty list means all [HOOK-03]', async () => {
    const [some, all] = [await hooks.hook({ events: ['connection_deleted'] }), await hooks.hook({ events: [] })]
    const ids = await hooks.append(created, deleted, created, deleted)
    await all.receiver.take(4)
    await some.receiver.take(2)
    await all.becomes('running')
    expect(idsOf(all)).toEqual(ids)
    expect(idsOf(some)).toEqual([ids[1], ids[3]])
    expect(some.receiver.all.map(({ json }) => json['event'])).toEqual(['connection_deleted', 'connection_deleted'])
  })

  test('a changed list applies to later events', async () => {
    const hook = await hooks.hook({ events: ['connection_deleted'] })
    await hooks.append(created)
    expect(await hook.change({ events: ['connection_created'] })).toMatchObject({ status: 200 })
    const [, second] = await hooks.append(deleted, created)
    expect((await hook.receiver.take(1)).map(({ eventId }) => eventId)).toEqual([second])
    expect(await hook.change({ events: [] })).toMatchObject({ status: 200 })
    const [third] = await hooks.append(deleted)
    await hook.receiver.take(2)
    expect(idsOf(hook)).toEqual([second, third])
  })
})

describe('disabled', () => {
  test('nothing is sent and nothing is queued; events after enabling are sent [HOOK-07]', async () => {
    const [hook, witness] = [await hooks.hook({ enabled: false }), await hooks.hook()]
    await hooks.append({}, {}, {})
    await witness.receiver.take(3)
    expect(await hook.health()).toMatchObject({ state: 'running', backlog_count: 0, backlog_oldest_at: null })
    await hook.change({ enabled: true })
    const [later] = await hooks.append({})
    await hook.receiver.take(1)
    await hook.change({ enabled: false })
    await hooks.append({}, {})
    await witness.receiver.take(6)
    expect(idsOf(hook)).toEqual([later])
    expect(await drained(hook)).toEqual([])
  })

  test('at the level free webhooks behave as disabled, and their settings stay', async () => {
    const hook = await hooks.hook()
    const { operations } = two.eu
    const { companyId } = northwind
    await operations.setLevel(companyId, 'free')
    await hooks.append({}, {})
    expect(await hook.read()).toMatchObject({ enabled: true, health: { state: 'running', backlog_count: 0 } })
    await operations.setLevel(companyId, 'basic')
    const [later] = await hooks.append({})
    await hook.receiver.take(1)
    expect(idsOf(hook)).toEqual([later])
    await operations.setLevel(companyId, 'pro')
  })

  test('a webhook that is disabled and enabled at the level free sends nothing before the level changes', async () => {
    const hook = await hooks.hook()
    const { operations } = two.eu
    const { companyId } = northwind
    await operations.setLevel(companyId, 'free')
    await hook.change({ enabled: false })
    await hook.change({ enabled: true })
    await hooks.append({})
    expect(await hook.health()).toMatchObject({ backlog_count: 0 })
    await operations.setLevel(companyId, 'pro')
    const [later] = await hooks.append({})
    await hook.receiver.take(1)
    expect(idsOf(hook)).toEqual([later])
  })
})

test('the deletion of a webhook discards its backlog: it can neither be drained nor sent [HOOK-30]', async () => {
  const [hook, witness] = [await hooks.hook(), await hooks.hook()]
  hook.receiver.behave(() => 500)
  await hooks.append({}, {}, {})
  await hook.becomes('bad')
  expect(await hook.health()).toMatchObject({ backlog_count: 3 })
  const { serviceId } = hooks.desk
  expect((await hooks.portal('DELETE', `/api/services/${serviceId}/webhooks/${hook.id}`)).status).toBe(204)
  expect(await hooks.desk.data('GET', `/api/company-data/changes?webhook_id=${hook.id}`)).toMatchObject({
    status: 404,
    body: { error_key: 'services.webhook_not_found' },
  })
  hook.receiver.behave(() => 200)
  two.clock.advance(1_200_000)
  await hooks.append({})
  await witness.receiver.take(4)
  expect(hook.receiver.all).toHaveLength(1)
})

test('the log of the service has states and changed settings by name, never a value [HOOK-31] [SERVICE-13]', async () => {
  const hook = await hooks.hook({ auth_type: 'bearer', auth_token: 'planted-token-1234' })
  hook.receiver.behave(() => 503)
  await hooks.append({})
  await hook.becomes('bad')
  hook.receiver.behave(() => 200)
  await hook.act('probe')
  await hook.becomes('running')
  await hook.change({ auth_type: 'bearer', auth_token: 'planted-token-5678', format: 'xml' })
  await hook.act('pause')
  await hook.act('resume')
  const { serviceId } = hooks.desk
  expect((await hooks.portal('DELETE', `/api/services/${serviceId}/webhooks/${hook.id}`)).status).toBe(204)
  const logs = await hooks.portal('GET', `/api/services/${serviceId}/logs?type=webhook`)
  expect(logs.body['items']).toMatchObject(
    [
      { message: 'A webhook was made', metadata: { action: 'webhooks.create', webhook_id: hook.id } },
      {
        message: 'The webhook failed: its events wait until a probe succeeds',
        metadata: { from: 'running', to: 'bad' },
      },
      { message: 'A probe of a webhook was asked for' },
      { message: 'The webhook is being probed', metadata: { from: 'bad', to: 'unknown' } },
      { message: 'The webhook runs: its endpoint answers', metadata: { from: 'unknown', to: 'running' } },
      { message: 'The configuration of a webhook was changed', metadata: { changed: ['format', 'auth_token'] } },
      { message: 'A webhook was paused: its events are queued and not sent' },
      { message: 'A paused webhook is sent to again' },
      { message: 'A webhook was deleted with its backlog', metadata: { webhook_id: hook.id } },
    ].toReversed(),
  )
  expect(logs.text).not.toContain('planted')
})

test('the last error is answered until deliveries succeed again', async () => {
  const hook = await hooks.hook()
  hook.receiver.behave(() => 503)
  await hooks.append({})
  await hook.becomes('bad')
  expect(String((await hook.health())['last_error'])).toContain('503')
  hook.receiver.behave(() => 200)
  await hook.act('probe')
  await waitUntil('the error is cleared', IN_TIME_MS, async () => (await hook.health())['last_error'] === null)
  await hook.becomes('running')
})

async function drained(hook: TestHook): Promise<unknown> {
  return (await hooks.desk.data('GET', `/api/company-data/changes?webhook_id=${hook.id}`)).body['changes']
}
