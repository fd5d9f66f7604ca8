import { instant } from '@sealpost/kernel'
import { describe, expect, test } from 'vitest'
import { mara as fixedMara, northwind as fixedNorthwind } from '../personas.ts'
import { openWorld } from './world.ts'

const world = await openWorld()

describe('a shared world', () => {
  test('is the one installation of the worker, with a clock that never goes back', async () => {
    const again = await openWorld()
    expect(again.frontDoor.url).toBe(world.frontDoor.url)
    const before = world.clock.now()
    world.clock.advance(1000)
    expect(again.clock.now()).toBe(before + 1000)
    expect(() => world.clock.set(instant(before))).toThrow('never goes back')
    expect(() => world.clock.advance(-1)).toThrow('never goes back')
  })

  test('has personas of its own that log in and have a data client', async () => {
    const { northwind, mara } = await world.personas('northwind', 'mara')
    expect(northwind.companyId).not.toBe(fixedNorthwind.companyId)
    expect(mara.shareCode).not.toBe(fixedMara.shareCode)
    expect((await world.personas('mara')).mara).toBe(mara)
    expect(await northwind.portal('GET', '/api/account')).toMatchObject({
      status: 200,
      body: { id: northwind.companyId, email: northwind.email },
    })
    expect(await world.token(northwind)).toMatch(/^ey/)
  })

  test('calls are good after the clock has moved by hours', async () => {
    const service = await world.service()
    world.clock.advance(2 * 3_600_000)
    expect((await service.portal('GET', service.path)).status).toBe(200)
    expect(await service.drain()).toEqual([])
  })
})

test('a customer connects, shares and changes a value, and the service opens it', async () => {
  const service = await world.service([{ slug: 'name' }, { slug: 'mail', type: 'email' }])
  const person = await world.person()
  await person.put('email', 'one@persons.example')
  const connectionId = await person.connected(service, [
    { slug: 'name', text: 'Mara' },
    { slug: 'mail', kind: 'linked', source: 'email', text: 'one@persons.example' },
  ])
  expect(await service.value(connectionId, 'name')).toBe('Mara')
  const share = { service, connectionId, slug: 'mail' }
  expect((await person.put('email', 'two@persons.example', [share])).status).toBe(200)
  await service.waitForValue(connectionId, 'mail', 'two@persons.example')
  expect(await person.connection(connectionId)).toMatchObject({ id: connectionId })
  expect((await service.events(2)).map(({ event }) => event)).toContain('connection_created')
})

test('a company may have many services, each with a key of its own', async () => {
  const company = await world.company()
  const keys = new Set<string>()
  for (let services = 0; services < 8; services += 1) keys.add((await world.service([], { company })).publicKey)
  expect(keys.size).toBe(8)
})

test('a webhook receives events that are appended', async () => {
  const service = await world.service()
  const webhook = await service.webhook()
  const [id] = await service.append()
  const [received] = await webhook.receiver.take(1)
  expect(received?.eventId).toBe(id)
  expect(await webhook.health()).toMatchObject({ state: 'running' })
})

test('a world of its own has the fixed personas and the settings that it asks for', async () => {
  const own = await openWorld({ settings: { SHARE_ONCE_DAYS: '3' } })
  expect(own.frontDoor.url).not.toBe(world.frontDoor.url)
  expect(own.environment.eu['SHARE_ONCE_DAYS']).toBe('3')
  const { northwind } = await own.personas('northwind')
  expect(northwind.companyId).toBe(fixedNorthwind.companyId)
  own.clock.set(instant(own.clock.now() - 1000))
  expect(own.isShared).toBe(false)
})
