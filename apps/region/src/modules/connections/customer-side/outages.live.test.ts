import { instant } from '@sealpost/kernel'
import { connectAsk, refuse } from '@sealpost/protocol'
import { type Answer, bodyOf, keyOf, openWorld, scaled } from '@sealpost/testkit'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tidyCustomerSide } from './operations/tidy.ts'

const LINKED = { slug: 'name', kind: 'linked', source: 'first_name', text: 'Ada' } as const

const world = await openWorld({ own: true })
const service = await world.service([{ slug: 'name' }])
const person = await world.person()
expect(await person.put('first_name', 'Ada')).toMatchObject({ status: 200 })
afterEach(() => void vi.restoreAllMocks())

/** Intercepts the ask that opens a connection. */
function aroundConnect(around: (ask: () => Promise<unknown>) => Promise<unknown>): void {
  const { bus } = world.us.platform
  const ask = bus.ask.bind(bus)
  vi.spyOn(bus, 'ask').mockImplementation(((contract: { command: string }, sent: never) => {
    const send = () => ask(contract as never, sent)
    return contract.command === connectAsk.command ? around(send) : send()
  }) as typeof bus.ask)
}

const loseTheReply = async (ask: () => Promise<unknown>) => {
  await ask()
  throw refuse('region.unreachable')
}

async function leave(): Promise<void> {
  for (const { id } of await person.connections())
    expect(await person.disconnect(String(id))).toMatchObject({ status: 204 })
}

describe('when the reply of the service is lost', () => {
  test('the caller gets 503 and the tell still opens the connection', async () => {
    aroundConnect(loseTheReply)
    const answer = await person.connect(service, [LINKED])
    expect([answer.status, keyOf(answer)]).toEqual([503, 'region.unreachable'])
    await expect.poll(() => person.connections(), { timeout: scaled(15_000) }).toHaveLength(1)
    const [{ id } = {}] = await person.connections()
    expect(await service.value(String(id), 'name')).toBe('Ada')
    const share = { service, connectionId: String(id), slug: 'name' }
    expect((await person.put('first_name', 'Ada', [share])).status).toBe(200)
    await leave()
  })

  test('a repetition with the same key answers the connection of the first attempt', async () => {
    const decisions = await person.decide(service, [{ slug: 'name', text: 'first try' }])
    aroundConnect(loseTheReply)
    expect((await person.connect(service, decisions, 'lost')).status).toBe(503)
    vi.restoreAllMocks()
    const again = await bodyOf(person.connect(service, decisions, 'lost'), 201)
    expect((await person.connections()).map(({ id }) => id)).toEqual([again['id']])
    expect(await service.value(String(again['id']), 'name')).toBe('first try')
    const third = await person.connect(service, decisions, 'lost')
    expect([third.status, third.body['id'], third.headers.get('idempotent-replayed')]).toEqual([
      201,
      again['id'],
      'true',
    ])
    const other = await person.connect(service, decisions, 'another-key')
    expect([other.status, keyOf(other)]).toEqual([409, 'company_data.already_connected'])
    await leave()
  })

  test('another attempt before the tell opens the connection with the decisions of the first', async () => {
    let isFirst = true
    aroundConnect(async (ask) => {
      if (!isFirst) return ask()
      isFirst = false
      await ask()
      // In the same call, so that the second attempt overtakes the tell of the first.
      const second = await person.connect(service, [{ slug: 'name', text: 'decided later' }])
      expect([second.status, keyOf(second)]).toEqual([409, 'company_data.already_connected'])
      throw refuse('region.unreachable')
    })
    expect((await person.connect(service, [{ slug: 'name', text: 'decided first' }])).status).toBe(503)
    const [{ id } = {}] = await person.connections()
    expect(await service.value(String(id), 'name')).toBe('decided first')
    await leave()
  })
})

describe('when the service is never reached', () => {
  test('no connection is listed, an edit asks for no share, and the opening is removed after a week', async () => {
    aroundConnect(() => Promise.reject(refuse('region.unreachable')))
    const answer = await person.connect(service, [LINKED])
    expect([answer.status, keyOf(answer)]).toEqual([503, 'region.unreachable'])
    expect(await person.connections()).toEqual([])
    expect((await person.put('first_name', 'Ada')).status).toBe(200)
    expect(await openings()).toHaveLength(1)
    const { customer } = world.us.modules.connections
    await tidyCustomerSide(customer)
    expect(await openings()).toHaveLength(1)
    const later = { now: () => instant(world.clock.now() + 8 * 24 * 3_600_000) }
    await tidyCustomerSide({ ...customer, clock: later })
    expect(await openings()).toEqual([])
  })

  /** Openings that no answer shows. */
  const openings = () =>
    world.rows(
      `select 1 from connections_customer.connection where account_id = $1 and state = 'opening'`,
      [person.userId],
      'us',
    )
})

describe('an edit while a connection opens', () => {
  test('withdraws the slot, so that no service keeps an old value', async () => {
    aroundConnect(async (ask) => {
      expect(await person.put('first_name', 'Augusta')).toMatchObject({ status: 200 })
      return ask()
    })
    const id = await person.connected(service, [LINKED])
    expect(await person.connection(id)).toMatchObject({ mappings: [], pending_consent: ['name'] })
    await service.waitForValue(id, 'name', null)
    expect(await person.provide(service, id, [{ ...LINKED, text: 'Augusta' }])).toMatchObject({ status: 200 })
    await service.waitForValue(id, 'name', 'Augusta')
    await leave()
  })

  test('withdraws the slot also when it deletes the value', async () => {
    aroundConnect(async (ask) => {
      expect(await person.calls('DELETE', `/api/contact-data/${person.field('first_name')}`)).toMatchObject({
        status: 204,
      })
      return ask()
    })
    const id = await person.connected(service, [{ ...LINKED, text: 'Augusta' }])
    await service.waitForValue(id, 'name', null)
    expect(await person.connection(id)).toMatchObject({ mappings: [], pending_consent: ['name'] })
    await leave()
    vi.restoreAllMocks()
    expect(await person.put('first_name', 'Ada')).toMatchObject({ status: 200 })
  })
})

test(
  'an edit concurrent with the opening of a connection is refused or leaves no old value',
  { timeout: scaled(60_000) },
  async () => {
    for (let round = 1; round <= 8; round += 1) {
      const editing = Promise.withResolvers<Answer>()
      aroundConnect(async (ask) => {
        const reply = await ask()
        editing.resolve(person.put('first_name', `round ${round}`))
        return reply
      })
      const id = await person.connected(service, [{ ...LINKED, text: 'before' }])
      const edited = await editing.promise
      if (edited.status === 200) await service.waitForValue(id, 'name', null)
      else {
        expect(keyOf(edited)).toBe('contact_data.shares_incomplete')
        expect(await service.value(id, 'name')).toBe('before')
      }
      vi.restoreAllMocks()
      await leave()
    }
    expect((await person.put('first_name', 'Ada')).status).toBe(200)
  },
)

test("while the service's region is down, edits are answered at once and arrive later, and disconnecting fails", async () => {
  const id = await person.connected(service, [LINKED])
  await world.eu.close()
  const began = performance.now()
  expect(await person.put('first_name', 'Grace', [{ service, connectionId: id, slug: 'name' }])).toMatchObject({
    status: 200,
  })
  expect(performance.now() - began).toBeLessThan(2500)
  expect(await person.connection(id)).toMatchObject({ id, mappings: [{ slug: 'name' }] })
  const ended = await person.disconnect(id)
  expect([ended.status, keyOf(ended)]).toEqual([503, 'region.unreachable'])
  expect(await person.connections()).toHaveLength(1)
  const connected = await person.connect(service)
  expect([connected.status, keyOf(connected)]).toEqual([503, 'region.unreachable'])
  const back = await world.another('eu')
  service.moveTo(back.url ?? '')
  await service.waitForValue(id, 'name', 'Grace')
  expect(await person.disconnect(id)).toMatchObject({ status: 204 })
  expect(await person.connections()).toEqual([])
})
