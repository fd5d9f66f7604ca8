import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testCertificate } from '@sealpost/egress/test-certificate'
import { type HookBehaviour, openWorld, scaled, type Service, type Webhook } from '@sealpost/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { events, idsOf } from '../testing/webhooks.ts'

const PROBE_DELAY_MS = 600_000
const inTime = { timeout: scaled(20_000) }

const world = await openWorld()
const company = await world.company()
const open = () => world.service([], { company })

/** A webhook after a failed delivery, and its event. */
async function openBad(service: Service): Promise<{ readonly hook: Webhook; readonly id: string }> {
  const hook = await service.webhook()
  hook.receiver.behave(() => 503)
  const [id = ''] = await service.append()
  await hook.becomes('bad')
  return { hook, id }
}

describe('an answer', () => {
  const others: readonly [string, HookBehaviour, object][] = [
    ...[201, 202, 204, 400, 404, 410, 429, 500, 503].map((status): [string, HookBehaviour, object] => [
      String(status),
      () => status,
      { http_status: status, error_class: 'status' },
    ]),
    [
      'a redirect, which is not followed',
      ({ path }, response) => {
        response.writeHead(path === '/hook' ? 302 : 200, { location: '/elsewhere' }).end()
      },
      { http_status: 302, error_class: 'status' },
    ],
    [
      'a reset',
      (_received, response) => void response.socket?.resetAndDestroy(),
      { http_status: null, error_class: 'protocol' },
    ],
    [
      'half an answer',
      (_received, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('half')
        setImmediate(() => response.socket?.destroy())
      },
      { http_status: null, error_class: 'protocol' },
    ],
  ]

  test('other than 200 is a failure: the event is parked and not retried [HOOK-20] [HOOK-22] [HOOK-23]', async () => {
    for (const group of [others.slice(0, 6), others.slice(6)]) {
      const own = await open()
      const healthy = await own.webhook()
      const failing = await Promise.all(
        group.map(async ([, behaviour]) => {
          const hook = await own.webhook()
          hook.receiver.behave(behaviour)
          return hook
        }),
      )
      const [id] = await own.append()
      await Promise.all(failing.map((hook) => hook.becomes('bad')))
      const [later] = await own.append()
      expect(idsOf(await healthy.receiver.take(2))).toEqual([id, later])
      for (const [index, hook] of failing.entries()) {
        expect([group[index]?.[0], ...idsOf(hook.receiver.all)]).toEqual([group[index]?.[0], id])
        expect(await hook.health()).toMatchObject({ state: 'bad', backlog_count: 2, last_error: expect.any(String) })
        expect(await hook.deliveries()).toMatchObject([{ kind: 'live', ...group[index]?.[2] }])
      }
    }
  })

  test('with status 200 is a success, whatever its body', async () => {
    const service = await open()
    const hook = await service.webhook()
    hook.receiver.behave((_received, response) => {
      response.on('error', () => {})
      response.writeHead(200, { 'content-type': 'text/html' })
      response.write('<!doctype html>'.repeat(50_000))
    })
    const ids = await service.append({}, {})
    expect(idsOf(await hook.receiver.take(2))).toEqual(ids)
    await expect.poll(() => hook.deliveries(), inTime).toHaveLength(2)
    expect(await hook.health()).toMatchObject({ state: 'running', backlog_count: 0, last_error: null })
  })

  test('is missing because no server listens: a failure [HOOK-20]', async () => {
    const service = await open()
    const hook = await service.webhook()
    await hook.receiver.close()
    await service.append()
    await hook.becomes('bad')
    expect(await hook.deliveries()).toMatchObject([{ http_status: null, error_class: 'connect' }])
  })
})

test('an answer that takes longer than 10 seconds is a failure, also a dripping one or a late 200 [HOOK-20]', async () => {
  const service = await open()
  const behaviours: HookBehaviour[] = [
    () => {},
    (_received, response) => void setTimeout(() => response.writeHead(200).end(), 10_500),
    (_received, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 250)
      response.on('close', () => clearInterval(drip))
    },
  ]
  const healthy = await service.webhook()
  const slow = await Promise.all(
    behaviours.map(async (behaviour) => {
      const hook = await service.webhook()
      hook.receiver.behave(behaviour)
      return hook
    }),
  )
  const ids = await service.append({}, {}, {})
  expect(idsOf(await healthy.receiver.take(3))).toEqual(ids)
  await Promise.all(slow.map((hook) => hook.becomes('bad')))
  for (const hook of slow) {
    expect(idsOf(hook.receiver.all)).toEqual(ids.slice(0, 1))
    expect(await hook.deliveries()).toMatchObject([{ http_status: null, error_class: 'timeout' }])
  }
})

describe('a failed webhook', () => {
  test('parks later events, answers the error, and is logged in the service [HOOK-23]', async () => {
    const service = await open()
    const { hook } = await openBad(service)
    await service.append({}, {})
    expect(await hook.health()).toMatchObject({ state: 'bad', backlog_count: 3, last_error: 'answered 503' })
    expect(hook.receiver.all).toHaveLength(1)
    const metadata = { webhook_id: hook.id, from: 'running', to: 'bad', error: 'answered 503' }
    expect(await service.logs()).toEqual(expect.arrayContaining([expect.objectContaining({ metadata })]))
  })

  test('is probed after 10 minutes with its oldest event [HOOK-24]', async () => {
    const service = await open()
    const { hook, id } = await openBad(service)
    const [second] = await service.append()
    world.clock.advance(PROBE_DELAY_MS - 1)
    // A delivery to another webhook shows that the workers have polled.
    const other = await service.webhook()
    await service.append()
    await other.receiver.take(1)
    expect(hook.receiver.all).toHaveLength(1)
    world.clock.advance(1)
    expect(idsOf(await hook.receiver.take(2))).toEqual([id, id])
    await expect
      .poll(() => hook.deliveries(), inTime)
      .toMatchObject([{ kind: 'probe', http_status: 503 }, { kind: 'live' }])
    expect(idsOf(hook.receiver.all)).not.toContain(second)
  })

  test('is bad again when the probe fails, and the 10 minutes start again [HOOK-26]', async () => {
    const service = await open()
    const { hook, id } = await openBad(service)
    for (const probes of [1, 2]) {
      world.clock.advance(PROBE_DELAY_MS)
      await hook.receiver.take(probes + 1)
      await hook.becomes('bad')
      await expect.poll(() => hook.deliveries(), inTime).toHaveLength(probes + 1)
      world.clock.advance(PROBE_DELAY_MS - 1)
      // A delivery to another webhook shows that the workers have polled.
      const other = await service.webhook()
      await service.append()
      await other.receiver.take(1)
    }
    expect(idsOf(hook.receiver.all)).toEqual([id, id, id])
  })

  test('gets its whole backlog in order after a successful probe, under the durable ids, and then live events [HOOK-25] [HOOK-27]', async () => {
    const service = await open()
    const { hook, id } = await openBad(service)
    const parked = await service.append(...events(70))
    hook.receiver.behave(() => 200)
    world.clock.advance(PROBE_DELAY_MS)
    const replayed = (await hook.receiver.take(72)).slice(1)
    expect(idsOf(replayed)).toEqual([id, ...parked])
    expect(replayed.map(({ json }) => json['id'])).toEqual([id, ...parked])
    await hook.becomes('running')
    await expect.poll(() => hook.health(), inTime).toMatchObject({ backlog_count: 0 })
    const [live] = await service.append()
    const last = (await hook.receiver.take(73)).at(-1)
    expect(last?.eventId).toBe(live)
    expect(last?.json['id']).not.toBe(live)
    await expect.poll(() => hook.deliveries(), inTime).toHaveLength(73)
    const kinds = (await hook.deliveries()).toReversed().map(({ kind }) => kind)
    expect(kinds).toEqual(['live', 'probe', ...parked.map(() => 'replay'), 'live'])
    expect(hook.receiver.mostAtOnce()).toBe(1)
  })

  test('whose replay fails midway keeps the rest, and delivered events are not sent again', async () => {
    const service = await open()
    const { hook, id } = await openBad(service)
    const parked = await service.append(...events(9))
    const broken = parked[4]
    hook.receiver.behave(({ eventId }) => (eventId === broken ? 500 : 200))
    world.clock.advance(PROBE_DELAY_MS)
    await hook.receiver.take(7)
    await hook.becomes('bad')
    expect(await hook.health()).toMatchObject({ backlog_count: 5 })
    hook.receiver.behave(() => 200)
    world.clock.advance(PROBE_DELAY_MS)
    const all = idsOf(await hook.receiver.take(12))
    expect(all).toEqual([id, id, ...parked.slice(0, 4), broken, ...parked.slice(4)])
    await hook.becomes('running')
  })
})

test('a hanging webhook delays no other of the service', async () => {
  const service = await open()
  const hanging = await service.webhook()
  hanging.receiver.behave(() => {})
  const healthy = await service.webhook()
  const ids = await service.append(...events(40))
  expect(idsOf(await healthy.receiver.take(40))).toEqual(ids)
  expect(hanging.receiver.all).toHaveLength(1)
  await hanging.becomes('bad')
})

test('idle connections are closed before endpoints close them: a POST on a closed connection would fail', async () => {
  const service = await open()
  const hook = await service.webhook()
  let isOver = false
  hook.receiver.behave((_received, response) => {
    response.socket?.once('close', () => void (isOver = true))
    response.writeHead(200, { 'keep-alive': 'timeout=75' }).end()
  })
  await service.append()
  await hook.receiver.take(1)
  await expect.poll(() => isOver, { timeout: scaled(3000) }).toBe(true)
})

test('an untrusted certificate fails the delivery before any byte of the event is sent', async () => {
  const service = await open()
  let requests = 0
  const server = createServer(testCertificate('localhost'), (_request, response) => {
    requests += 1
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const hook = await service.webhook({ url: `https://localhost:${port}/hook` })
  await service.append()
  await hook.becomes('bad')
  expect(await hook.deliveries()).toMatchObject([{ http_status: null, error_class: 'tls' }])
  expect(requests).toBe(0)
})
