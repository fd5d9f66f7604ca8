import { formatInstant, instant } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import {
  demand,
  type HookDesk,
  keyOf,
  openHooks,
  type ReceivedHook,
  startTwoRegions,
  type TestHook,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { turnSwitches } from '../../access/index.ts'

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

function idsOf(received: readonly ReceivedHook[]): readonly string[] {
  return received.map(({ eventId }) => eventId)
}

/** Resolves when the workers have polled, which a delivery to another webhook shows. */
async function workersHavePolled(): Promise<void> {
  const other = await openHooks(two)
  const hook = await other.hook()
  await other.append()
  await hook.receiver.take(1)
  await other.close()
}

async function logged(hook: TestHook, count: number): Promise<readonly Record<string, unknown>[]> {
  await waitUntil(`${count} deliveries are logged`, IN_TIME_MS, async () => (await hook.deliveries()).length >= count)
  return hook.deliveries()
}

describe('pause', () => {
  test('queues events without sending; resume sends them in order [HOOK-35]', async () => {
    const hook = await hooks.hook()
    const [first] = await hooks.append()
    await hook.receiver.take(1)
    expect((await hook.act('pause')).status).toBe(200)
    const queued = await hooks.append({}, {}, {})
    await workersHavePolled()
    expect(idsOf(hook.receiver.all)).toEqual([first])
    expect(await hook.read()).toMatchObject({ paused: true, health: { backlog_count: 3 } })
    expect((await hook.act('resume')).status).toBe(200)
    expect(idsOf(await hook.receiver.take(4))).toEqual([first, ...queued])
    await hook.becomes('running')
  })

  test('differs from disabled, which queues nothing [HOOK-35]', async () => {
    const hook = await hooks.hook({ enabled: false })
    await hooks.append({}, {})
    await workersHavePolled()
    expect(await hook.health()).toMatchObject({ backlog_count: 0 })
    expect((await hook.change({ enabled: true })).status).toBe(200)
    const [later] = await hooks.append()
    expect(idsOf(await hook.receiver.take(1))).toEqual([later])
  })

  test('during many events stops at once, and no event is lost or doubled', async () => {
    const hook = await hooks.hook()
    const ids = await hooks.append(...Array.from({ length: 60 }, () => ({})))
    await hook.receiver.take(5)
    await hook.act('pause')
    await workersHavePolled()
    const seen = hook.receiver.all.length
    await workersHavePolled()
    expect(hook.receiver.all.length).toBe(seen)
    await hook.act('resume')
    expect(idsOf(await hook.receiver.take(60))).toEqual(ids)
  })
})

describe('test', () => {
  test('sends one event past queue and health and answers the result [HOOK-36]', async () => {
    const hook = await hooks.hook({ hmac_secret: 'a chosen secret' })
    hook.receiver.behave(() => 418)
    const before = await hook.health()
    const { status, body } = await hook.act('test')
    expect(status).toBe(200)
    expect(body).toMatchObject({ http_status: 418, duration_ms: expect.any(Number) })
    const [received] = await hook.receiver.take(1)
    expect(received?.json).toMatchObject({ event: 'test', service_id: hooks.desk.serviceId, person_user_id: null })
    expect(received?.headers).toMatchObject({ 'x-platform-event': 'test', 'webhook-id': received?.json['id'] })
    expect(received?.headers['x-platform-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(await hook.health()).toEqual(before)
    expect(await hook.deliveries()).toMatchObject([{ event: 'test', kind: 'test', http_status: 418 }])
    const drained = await hooks.desk.drain()
    expect(drained.filter(({ event }) => event === 'test')).toEqual([])
  })

  test('of a webhook that is deleted meanwhile leaves no trace', async () => {
    const hook = await hooks.hook()
    const answered = Promise.withResolvers<number>()
    hook.receiver.behave(() => answered.promise)
    const testing = hook.act('test')
    await hook.receiver.take(1)
    await demand(hooks.portal('DELETE', `/api/services/${hooks.desk.serviceId}`), 204)
    answered.resolve(200)
    expect(keyOf(await testing)).toBe('services.webhook_not_found')
    const left = await two.eu.platform.database.read((read) =>
      runStatement<{ id: string }>(read, 'select id from webhooks.delivery where webhook_id = $1', [hook.id]),
    )
    expect(left).toEqual([])
  })

  test('of an endpoint that does not listen answers no status', async () => {
    const hook = await hooks.hook()
    await hook.receiver.close()
    expect(await hook.act('test')).toMatchObject({ status: 200, body: { http_status: null } })
    expect(await hook.health()).toMatchObject({ state: 'running' })
  })
})

describe('probe', () => {
  test('probes a failed webhook without the probe delay [HOOK-36]', async () => {
    const hook = await hooks.hook()
    hook.receiver.behave(() => 500)
    const [id] = await hooks.append()
    await hook.becomes('bad')
    hook.receiver.behave(() => 200)
    expect((await hook.act('probe')).status).toBe(200)
    expect(idsOf(await hook.receiver.take(2))).toEqual([id, id])
    await hook.becomes('running')
    expect(await logged(hook, 2)).toMatchObject([{ kind: 'probe', http_status: 200 }, { kind: 'live' }])
  })
})

describe('replay', () => {
  test('sends the parked events now [HOOK-37]', async () => {
    const hook = await hooks.hook()
    hook.receiver.behave(() => 500)
    const [first] = await hooks.append()
    await hook.becomes('bad')
    const rest = await hooks.append({}, {})
    hook.receiver.behave(() => 200)
    expect(await hook.act('replay')).toMatchObject({ status: 202, body: { queued: 3 } })
    const received = (await hook.receiver.take(4)).slice(1)
    expect(idsOf(received)).toEqual([first, ...rest])
    expect(received.map(({ json }) => json['id'])).toEqual([first, ...rest])
  })

  test('with a time sends all events since then in order under the durable ids, delivered or not [HOOK-37]', async () => {
    const hook = await hooks.hook()
    await hooks.append()
    await hook.receiver.take(1)
    two.clock.advance(60_000)
    const since = two.clock.now()
    const ids = await hooks.append({}, {}, {})
    await hook.receiver.take(4)
    two.clock.advance(1000)
    expect(await hook.act('replay', { since: formatInstant(instant(since)) })).toMatchObject({
      status: 202,
      body: { queued: 3 },
    })
    const again = (await hook.receiver.take(7)).slice(4)
    expect(idsOf(again)).toEqual(ids)
    expect(again.map(({ json }) => json['id'])).toEqual(ids)
    const [live] = await hooks.append()
    expect((await hook.receiver.take(8)).at(-1)?.eventId).toBe(live)
  })
})

test('every attempt is in the log of deliveries with kind, status and duration, without a body [HOOK-38]', async () => {
  const hook = await hooks.hook()
  hook.receiver.behave(() => 502)
  const [id] = await hooks.append()
  await hook.becomes('bad')
  hook.receiver.behave(() => 200)
  await hook.act('probe')
  const [probe, live] = await logged(hook, 2)
  expect(probe).toEqual({
    id: expect.any(String),
    event: 'connection_deleted',
    event_id: id,
    kind: 'probe',
    http_status: 200,
    duration_ms: expect.any(Number),
    error_class: null,
    at: formatInstant(two.clock.now()),
  })
  expect(live).toMatchObject({ event_id: id, kind: 'live', http_status: 502, error_class: 'status' })
  two.clock.advance(7 * 86_400_000)
  expect(await hook.deliveries()).toEqual([])
})

test('while writes are paused no delivery starts; afterwards it continues [HOOK-40]', async () => {
  const hook = await hooks.hook()
  const many = await hooks.append(...Array.from({ length: 60 }, () => ({})))
  await hook.receiver.take(3)
  const { database, clock } = two.eu.platform
  await turnSwitches({ database, clock }, { writesPaused: true })
  // The POST in flight may still be answered and logged; after it none is sent.
  await waitUntil(
    'no POST is in flight',
    IN_TIME_MS,
    async () => (await hook.deliveries()).length === hook.receiver.all.length,
  )
  const seen = hook.receiver.all.length
  for (let read = 0; read < 50; read += 1) await hook.read()
  expect(hook.receiver.all.length).toBe(seen)
  expect(hook.receiver.all.length).toBeLessThan(60)
  await turnSwitches({ database, clock }, { writesPaused: false })
  expect(idsOf(await hook.receiver.take(60))).toEqual(many)
  await waitUntil('all deliveries are logged', IN_TIME_MS, async () => (await hook.deliveries()).length === 60)
  expect(hook.receiver.all).toHaveLength(60)
})

test('a changed URL applies to the next event', async () => {
  const hook = await hooks.hook()
  const other = await hooks.hook({ enabled: false })
  const [first] = await hooks.append()
  await hook.receiver.take(1)
  expect((await hook.change({ url: other.receiver.url })).status).toBe(200)
  const [second] = await hooks.append()
  expect(idsOf(await other.receiver.take(1))).toEqual([second])
  expect(idsOf(hook.receiver.all)).toEqual([first])
})
