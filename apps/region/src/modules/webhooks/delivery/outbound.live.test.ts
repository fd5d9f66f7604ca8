import { Resolver } from 'node:dns/promises'
import { Socket } from 'node:net'
import { openWorld, scaled, type World } from '@sealpost/testkit'
import { afterAll, expect, test, vi } from 'vitest'

/** All connections of this process, TLS or not; installed before the first one. */
const dials = vi.spyOn(Socket.prototype, 'connect')
/** All DNS queries of the egress; none is answered, and a query for a push service is recorded all the same. */
const questions = [
  vi.spyOn(Resolver.prototype, 'resolve4').mockRejectedValue(new Error('no name server')),
  vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('no name server')),
]

afterAll(() => {
  for (const watched of [dials, ...questions]) watched.mockRestore()
})

const world = await openWorld({ own: true })
const service = await world.service([{ slug: 'mail', type: 'email' }])
const hook = await service.webhook()

/** `connect(port, host)`, `connect(path)`, `connect(options)`, or the options in an array, as node passes them on. */
function targetOf([first, second]: readonly unknown[]): string {
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options !== 'object' || options === null) return address(second, options)
  const path: unknown = Reflect.get(options, 'path')
  return typeof path === 'string' ? path : address(Reflect.get(options, 'host'), Reflect.get(options, 'port'))
}

function address(host: unknown, port: unknown): string {
  const name = typeof host === 'string' ? host : 'localhost'
  return `${name === 'localhost' ? '127.0.0.1' : name}:${String(port)}`
}

/** Host and port of the engines and processes of the installation, taken from its settings. */
function ownAddresses({ environment, frontDoor, eu, us }: World): ReadonlySet<string> {
  const settings = [environment.frontDoor, environment.eu, environment.us].flatMap((one) => Object.values(one))
  const doors = [frontDoor, eu, us].flatMap(({ url }) => url ?? [])
  const named = [...settings, ...doors].flatMap((value) => [...value.matchAll(/([\w.-]+):(\d+)/g)])
  return new Set(named.map(([, host, port]) => address(host, port)))
}

/** The called addresses outside of the installation. */
function externalTargets(): readonly string[] {
  const own = ownAddresses(world)
  const called = new Set(dials.mock.calls.map(targetOf))
  const queried = questions.flatMap(({ mock }) => mock.calls.map(([name]) => name))
  return [...called].filter((target) => !own.has(target)).concat(queried)
}

/** The number of sent mails, once none is pending. */
async function mailsSent(): Promise<number> {
  await expect.poll(() => world.rows('select 1 from mail.outbox'), { timeout: scaled(20_000) }).toEqual([])
  return world.mail.taken.length
}

test('events go to webhooks and feed only: no other target is called, and no push service [HOOK-33]', async () => {
  const person = await world.person()
  const mails = await mailsSent()
  expect(await person.put('email', 'first@example.org')).toMatchObject({ status: 200 })
  const connectionId = await person.connected(service, [
    { slug: 'mail', kind: 'linked', source: 'email', text: 'first@example.org' },
  ])
  const share = { service, connectionId, slug: 'mail' }
  expect(await person.put('email', 'second@example.org', [share])).toMatchObject({ status: 200 })
  await hook.receiver.take(2)
  expect(await person.calls('DELETE', `/api/company-connections/${connectionId}`)).toMatchObject({ status: 204 })
  await hook.receiver.take(3)
  const kinds = ['connection_created', 'field_updated', 'connection_deleted']
  expect(hook.receiver.all.map(({ json }) => json['event'])).toEqual(kinds)
  expect((await service.events(3)).map(({ id }) => id)).toEqual(hook.receiver.all.map(({ eventId }) => eventId))
  expect(await mailsSent()).toBe(mails)
  expect(externalTargets()).toEqual([new URL(hook.receiver.url).host])

  // Without a webhook nothing is sent: the event is in the feed.
  expect(await hook.change({ enabled: false })).toMatchObject({ status: 200 })
  dials.mockClear()
  const { connectionId: again } = await world.customer(service)
  expect(await service.events(1)).toMatchObject([{ event: 'connection_created', connection_id: again }])
  expect(externalTargets()).toEqual([])
  expect(hook.receiver.all).toHaveLength(kinds.length)
})

test('a call to a push service would be recorded', async () => {
  const push = { method: 'POST', connectTimeoutMs: 1000, totalTimeoutMs: 1000, maxResponseBytes: 1 } as const
  dials.mockClear()
  await world.eu.platform.egress.send({ ...push, url: 'https://push.example/device' })
  expect(externalTargets()).toContain('push.example')
  // On a port that an engine uses too.
  const { port } = new URL(world.environment.eu['DATABASE_URL'] ?? '')
  await world.eu.platform.egress.send({ ...push, url: `http://127.1.2.3:${port}/device` })
  expect(externalTargets()).toContain(`127.1.2.3:${port}`)
})
