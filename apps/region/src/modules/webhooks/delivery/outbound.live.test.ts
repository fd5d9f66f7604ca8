import { Resolver } from 'node:dns/promises'
import { Socket } from 'node:net'
import { runStatement } from '@sealpost/postgres'
import {
  connectTo,
  drainEvents,
  hookOn,
  newShopper,
  openShop,
  sealTo,
  setField,
  type Shop,
  startTwoRegions,
  type TestHook,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let two: TwoRegions
let shop: Shop
let hook: TestHook
/** Every connection that anything in this process opens, TLS or not; before the first engine is dialled. */
const dials = vi.spyOn(Socket.prototype, 'connect')
/** Every name that is asked for on the way out; nobody answers, and who asks for a push service is seen all the same. */
const questions = [
  vi.spyOn(Resolver.prototype, 'resolve4').mockRejectedValue(new Error('no name server')),
  vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('no name server')),
]

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000', RATE_CHANGES: '60000' })
  shop = await openShop(two, [{ slug: 'mail', type: 'email' }])
  hook = await hookOn(shop.portal, shop.service.serviceId)
})
afterAll(async () => {
  await two.close()
  await hook.receiver.close()
  for (const watched of [dials, ...questions]) watched.mockRestore()
})

/** `connect(port, host)`, `connect(path)`, `connect(options)`, or the options as node hands them on to itself. */
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

/** The engines of the installation and the doors of its own processes, with host and port: whatever its settings name. */
function ownAddresses({ environment, frontDoor, eu, us }: TwoRegions): ReadonlySet<string> {
  const settings = [environment.frontDoor, environment.eu, environment.us].flatMap((one) => Object.values(one))
  const doors = [frontDoor, eu, us].flatMap(({ url }) => url ?? [])
  const named = [...settings, ...doors].flatMap((value) => [...value.matchAll(/([\w.-]+):(\d+)/g)])
  return new Set(named.map(([, host, port]) => address(host, port)))
}

/** Whom anything in this process has called that is not part of the installation. */
function strangers(): readonly string[] {
  const own = ownAddresses(two)
  const called = new Set(dials.mock.calls.map(targetOf))
  const asked = questions.flatMap(({ mock }) => mock.calls.map(([name]) => name))
  return [...called].filter((target) => !own.has(target)).concat(asked)
}

/** Mails that were ever written, once none waits. */
async function mailsSent(): Promise<number> {
  await waitUntil('no mail waits', 20_000, async () => {
    const rows = await two.eu.core.database.read((read) => runStatement(read, 'select 1 from mail.outbox', []))
    return rows.length === 0
  })
  return two.mail.taken.length
}

test('what customers do leaves for the webhooks and waits in the feed; nobody else is called, no push service either [HOOK-33]', async () => {
  const person = await newShopper(two)
  const mails = await mailsSent()
  await setField(person, 'email', { text: 'first@example.org' })
  const connection = await connectTo(shop, person, [
    { slug: 'mail', kind: 'linked', source: 'email', text: 'first@example.org' },
  ])
  const value = await sealTo(shop.service.publicKey, 'second@example.org')
  await setField(person, 'email', { text: 'second@example.org' }, [{ connection_id: connection, slug: 'mail', value }])
  await hook.receiver.take(2)
  expect(await person.call('DELETE', `/api/company-connections/${connection}`)).toMatchObject({ status: 204 })
  await hook.receiver.take(3)
  const kinds = ['connection_created', 'field_updated', 'connection_deleted']
  expect(hook.receiver.all.map(({ json }) => json['event'])).toEqual(kinds)
  expect((await drainEvents(shop, 3)).map(({ id }) => id)).toEqual(hook.receiver.all.map(({ eventId }) => eventId))
  expect(await mailsSent()).toBe(mails)
  expect(strangers()).toEqual([new URL(hook.receiver.url).host])

  // And without a webhook nothing leaves at all: it waits in the feed.
  expect(await hook.change({ enabled: false })).toMatchObject({ status: 200 })
  dials.mockClear()
  const again = await connectTo(shop, await newShopper(two), [])
  expect(await drainEvents(shop, 1)).toMatchObject([{ event: 'connection_created', connection_id: again }])
  expect(strangers()).toEqual([])
  expect(hook.receiver.all).toHaveLength(kinds.length)
})

test('whoever did call a push service would be seen', async () => {
  const push = { method: 'POST', connectTimeoutMs: 1000, totalTimeoutMs: 1000, maxResponseBytes: 1 } as const
  dials.mockClear()
  await two.eu.core.egress.send({ ...push, url: 'https://push.example/device' })
  expect(strangers()).toContain('push.example')
  // On a port that an engine has too.
  const { port } = new URL(two.environment.eu['DATABASE_URL'] ?? '')
  await two.eu.core.egress.send({ ...push, url: `http://127.1.2.3:${port}/device` })
  expect(strangers()).toContain(`127.1.2.3:${port}`)
})
