import { keyOf, openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { turnSwitches } from '../../access/index.ts'
import { events, idsOf } from '../testing/webhooks.ts'

const inTime = { timeout: scaled(20_000) }

const world = await openWorld({ own: true })
const company = await world.company()
const open = () => world.service([], { company })

/** Resolves when the workers have polled, which a delivery to another webhook shows. */
async function workersHavePolled(): Promise<void> {
  const other = await open()
  const hook = await other.webhook()
  await other.append()
  await hook.receiver.take(1)
}

/** A webhook whose receiver has refused an event. */
async function openFailed() {
  const service = await open()
  const hook = await service.webhook()
  hook.receiver.behave(() => 500)
  const [id] = await service.append()
  await hook.becomes('bad')
  return { service, hook, id }
}

describe('pause', () => {
  test('queues events without sending; resume sends them in order [HOOK-35]', async () => {
    const service = await open()
    const hook = await service.webhook()
    const [first] = await service.append()
    await hook.receiver.take(1)
    expect((await hook.post('pause')).status).toBe(200)
    const queued = await service.append({}, {}, {})
    await workersHavePolled()
    expect(idsOf(hook.receiver.all)).toEqual([first])
    expect(await hook.read()).toMatchObject({ paused: true, health: { backlog_count: 3 } })
    expect((await hook.post('resume')).status).toBe(200)
    expect(idsOf(await hook.receiver.take(4))).toEqual([first, ...queued])
    await hook.becomes('running')
  })

  test('differs from disabled, which queues nothing [HOOK-35]', async () => {
    const service = await open()
    const hook = await service.webhook({ enabled: false })
    await service.append({}, {})
    await workersHavePolled()
    expect(await hook.health()).toMatchObject({ backlog_count: 0 })
    expect((await hook.change({ enabled: true })).status).toBe(200)
    const [later] = await service.append()
    expect(idsOf(await hook.receiver.take(1))).toEqual([later])
  })

  test('during many events stops at once, and no event is lost or doubled', async () => {
    const service = await open()
    const hook = await service.webhook()
    const ids = await service.append(...events(60))
    await hook.receiver.take(5)
    await hook.post('pause')
    await workersHavePolled()
    const seen = hook.receiver.all.length
    await workersHavePolled()
    expect(hook.receiver.all.length).toBe(seen)
    await hook.post('resume')
    expect(idsOf(await hook.receiver.take(60))).toEqual(ids)
  })
})

describe('test', () => {
  test('sends one event past queue and health and answers the result [HOOK-36]', async () => {
    const service = await open()
    const hook = await service.webhook({ hmac_secret: 'a chosen secret' })
    hook.receiver.behave(() => 418)
    const before = await hook.health()
    const { status, body } = await hook.post('test')
    expect(status).toBe(200)
    expect(body).toMatchObject({ http_status: 418, duration_ms: expect.any(Number) })
    const [received] = await hook.receiver.take(1)
    expect(received?.json).toMatchObject({ event: 'test', service_id: service.serviceId, person_user_id: null })
    expect(received?.headers).toMatchObject({ 'x-platform-event': 'test', 'webhook-id': received?.json['id'] })
    expect(received?.headers['x-platform-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(await hook.health()).toEqual(before)
    expect(await hook.deliveries()).toMatchObject([{ event: 'test', kind: 'test', http_status: 418 }])
    const drained = await service.drain()
    expect(drained.filter(({ event }) => event === 'test')).toEqual([])
  })

  test('of a webhook that is deleted meanwhile leaves no trace', async () => {
    const service = await open()
    const hook = await service.webhook()
    const answered = Promise.withResolvers<number>()
    hook.receiver.behave(() => answered.promise)
    const testing = hook.post('test')
    await hook.receiver.take(1)
    expect(await service.portal('DELETE', service.path)).toMatchObject({ status: 204 })
    answered.resolve(200)
    expect(keyOf(await testing)).toBe('services.webhook_not_found')
    expect(await world.rows('select id from webhooks.delivery where webhook_id = $1', [hook.id])).toEqual([])
  })

  test('of an endpoint that does not listen answers no status', async () => {
    const service = await open()
    const hook = await service.webhook()
    await hook.receiver.close()
    expect(await hook.post('test')).toMatchObject({ status: 200, body: { http_status: null } })
    expect(await hook.health()).toMatchObject({ state: 'running' })
  })
})

describe('probe', () => {
  test('probes a failed webhook without the probe delay [HOOK-36]', async () => {
    const { hook, id } = await openFailed()
    hook.receiver.behave(() => 200)
    expect((await hook.post('probe')).status).toBe(200)
    expect(idsOf(await hook.receiver.take(2))).toEqual([id, id])
    await hook.becomes('running')
    await expect
      .poll(() => hook.deliveries(), inTime)
      .toMatchObject([{ kind: 'probe', http_status: 200 }, { kind: 'live' }])
  })
})

describe('replay', () => {
  test('sends the parked events now [HOOK-37]', async () => {
    const { service, hook, id: first } = await openFailed()
    const rest = await service.append({}, {})
    hook.receiver.behave(() => 200)
    expect(await hook.post('replay')).toMatchObject({ status: 202, body: { queued: 3 } })
    const received = (await hook.receiver.take(4)).slice(1)
    expect(idsOf(received)).toEqual([first, ...rest])
    expect(received.map(({ json }) => json['id'])).toEqual([first, ...rest])
  })

  test('with a time sends all events since then in order under the durable ids, delivered or not [HOOK-37]', async () => {
    const service = await open()
    const hook = await service.webhook()
    await service.append()
    await hook.receiver.take(1)
    world.clock.advance(60_000)
    const since = world.time()
    const ids = await service.append({}, {}, {})
    await hook.receiver.take(4)
    world.clock.advance(1000)
    expect(await hook.post('replay', { since })).toMatchObject({
      status: 202,
      body: { queued: 3 },
    })
    const again = (await hook.receiver.take(7)).slice(4)
    expect(idsOf(again)).toEqual(ids)
    expect(again.map(({ json }) => json['id'])).toEqual(ids)
    const [live] = await service.append()
    expect((await hook.receiver.take(8)).at(-1)?.eventId).toBe(live)
  })
})

test('every attempt is in the log of deliveries with kind, status and duration, without a body [HOOK-38]', async () => {
  const service = await open()
  const hook = await service.webhook()
  hook.receiver.behave(() => 502)
  const [id] = await service.append()
  await hook.becomes('bad')
  hook.receiver.behave(() => 200)
  await hook.post('probe')
  await expect.poll(() => hook.deliveries(), inTime).toHaveLength(2)
  const [probe, live] = await hook.deliveries()
  expect(probe).toEqual({
    id: expect.any(String),
    event: 'connection_deleted',
    event_id: id,
    kind: 'probe',
    http_status: 200,
    duration_ms: expect.any(Number),
    error_class: null,
    at: world.time(),
  })
  expect(live).toMatchObject({ event_id: id, kind: 'live', http_status: 502, error_class: 'status' })
  world.clock.advance(7 * 86_400_000)
  expect(await hook.deliveries()).toEqual([])
})

test('while writes are paused no delivery starts; afterwards it continues [HOOK-40]', async () => {
  const service = await open()
  const hook = await service.webhook()
  const many = await service.append(...events(60))
  await hook.receiver.take(3)
  const { database, clock } = world.eu.platform
  await turnSwitches({ database, clock }, { writesPaused: true })
  // The POST in flight may still be answered and logged; after it none is sent.
  const inFlight = async () => hook.receiver.all.length - (await hook.deliveries()).length
  await expect.poll(inFlight, inTime).toBe(0)
  const seen = hook.receiver.all.length
  for (let read = 0; read < 50; read += 1) await hook.read()
  expect(hook.receiver.all.length).toBe(seen)
  expect(hook.receiver.all.length).toBeLessThan(60)
  await turnSwitches({ database, clock }, { writesPaused: false })
  expect(idsOf(await hook.receiver.take(60))).toEqual(many)
  await expect.poll(() => hook.deliveries(), inTime).toHaveLength(60)
  expect(hook.receiver.all).toHaveLength(60)
})

test('a changed URL applies to the next event', async () => {
  const service = await open()
  const hook = await service.webhook()
  const other = await service.webhook({ enabled: false })
  const [first] = await service.append()
  await hook.receiver.take(1)
  expect((await hook.change({ url: other.receiver.url })).status).toBe(200)
  const [second] = await service.append()
  expect(idsOf(await other.receiver.take(1))).toEqual([second])
  expect(idsOf(hook.receiver.all)).toEqual([first])
})
