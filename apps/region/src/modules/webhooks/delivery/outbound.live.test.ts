import { Socket } from 'node:net'
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
} from '@sealpost/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let two: TwoRegions
let shop: Shop
let hook: TestHook
/** Every connection that anything in this process opens, TLS or not; before the first engine is dialled. */
const dials = vi.spyOn(Socket.prototype, 'connect')

beforeAll(async () => {
  two = await startTwoRegions({ ALLOW_PRIVATE_TARGETS: '1', RATE_DATA: '60000', RATE_CHANGES: '60000' })
  shop = await openShop(two, [{ slug: 'mail', type: 'email' }])
  hook = await hookOn(shop.portal, shop.service.serviceId)
})
afterAll(async () => {
  await two.close()
  await hook.receiver.close()
  dials.mockRestore()
})

/** `connect(port)`, `connect(path)`, `connect(options)`, or the options as node hands them on to itself. */
function targetOf([first]: readonly unknown[]): string {
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options !== 'object' || options === null) return String(options)
  return String(Reflect.get(options, 'port') ?? Reflect.get(options, 'path'))
}

/** The engines of the installation and the doors of its own processes: whatever its settings name. */
function ownPorts({ environment, frontDoor, eu, us }: TwoRegions): ReadonlySet<string> {
  const settings = [environment.frontDoor, environment.eu, environment.us].flatMap((one) => Object.values(one))
  const named = settings.flatMap((value) => [...value.matchAll(/:(\d+)/g)].map(([, port]) => String(port)))
  const doors = [frontDoor, eu, us].flatMap(({ url }) => (url === null ? [] : [new URL(url).port]))
  return new Set([...named, ...doors])
}

test('what customers do leaves for the webhooks and waits in the feed; nobody else is called, no push service either [HOOK-33]', async () => {
  const person = await newShopper(two)
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
  const target = new URL(hook.receiver.url).port
  const own = ownPorts(two)
  expect([target, '443'].filter((port) => own.has(port))).toEqual([])
  const dialled = new Set(dials.mock.calls.map(targetOf))
  expect([...dialled].filter((port) => !own.has(port))).toEqual([target])
})
