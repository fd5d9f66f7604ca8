import { instant } from '@sealpost/kernel'
import { runStatement } from '@sealpost/postgres'
import { connectAsk, refuse } from '@sealpost/protocol'
import {
  type Answer,
  demand,
  type Desk,
  keyOf,
  openCustomer,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { tidyCustomerSide } from './operations/tidy.ts'

let two: TwoRegions
let person: TestCustomer
let desk: Desk

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
  await demand(person.put('first_name', 'Ada'), 200)
  desk = await openDesk(two, [{ slug: 'name' }])
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => two.close())

/** Intercepts the ask that opens a connection. */
function aroundConnect(around: (ask: () => Promise<unknown>) => Promise<unknown>): void {
  const { bus } = two.us.platform
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
  for (const { id } of await person.list()) {
    await demand(person.calls('DELETE', `/api/company-connections/${String(id)}`), 204)
  }
}

describe('when the reply of the service is lost', () => {
  test('the caller gets 503 and the tell still opens the connection', async () => {
    aroundConnect(loseTheReply)
    const answer = await person.connect(desk, [await person.linked(desk, 'name', 'first_name', 'Ada')])
    expect([answer.status, keyOf(answer)]).toEqual([503, 'region.unreachable'])
    await waitUntil('the connection is there', 15_000, async () => (await person.list()).length === 1)
    const [{ id } = {}] = await person.list()
    expect(await desk.value(String(id), 'name')).toBe('Ada')
    await demand(person.put('first_name', 'Ada', [{ desk, connectionId: String(id), slug: 'name' }]), 200)
    await leave()
  })

  test('a repetition with the same key answers the connection of the first attempt', async () => {
    const decisions = [await person.typed(desk, 'name', 'first try')]
    aroundConnect(loseTheReply)
    expect((await person.connect(desk, decisions, 'lost')).status).toBe(503)
    vi.restoreAllMocks()
    const again = await demand(person.connect(desk, decisions, 'lost'), 201)
    expect((await person.list()).map(({ id }) => id)).toEqual([again['id']])
    expect(await desk.value(String(again['id']), 'name')).toBe('first try')
    const third = await person.connect(desk, decisions, 'lost')
    expect([third.status, third.body['id'], third.headers.get('idempotent-replayed')]).toEqual([
      201,
      again['id'],
      'true',
    ])
    const other = await person.connect(desk, decisions, 'another-key')
    expect([other.status, keyOf(other)]).toEqual([409, 'company_data.already_connected'])
    await leave()
  })

  test('another attempt before the tell opens the connection with the decisions of the first', async () => {
    const first = [await person.typed(desk, 'name', 'decided first')]
    let isFirst = true
    aroundConnect(async (ask) => {
      if (!isFirst) return ask()
      isFirst = false
      await ask()
      // In the same call, so that the second attempt overtakes the tell of the first.
      const second = await person.connect(desk, [await person.typed(desk, 'name', 'decided later')])
      expect([second.status, keyOf(second)]).toEqual([409, 'company_data.already_connected'])
      throw refuse('region.unreachable')
    })
    expect((await person.connect(desk, first)).status).toBe(503)
    const [{ id } = {}] = await person.list()
    expect(await desk.value(String(id), 'name')).toBe('decided first')
    await leave()
  })
})

describe('when the service is never reached', () => {
  test('no connection is listed, an edit asks for no share, and the opening is removed after a week', async () => {
    aroundConnect(() => Promise.reject(refuse('region.unreachable')))
    const answer = await person.connect(desk, [await person.linked(desk, 'name', 'first_name', 'Ada')])
    expect([answer.status, keyOf(answer)]).toEqual([503, 'region.unreachable'])
    expect(await person.list()).toEqual([])
    await demand(person.put('first_name', 'Ada'), 200)
    expect(await openings()).toBe(1)
    const { customer } = two.us.modules.connections
    await tidyCustomerSide(customer)
    expect(await openings()).toBe(1)
    const later = { now: () => instant(two.clock.now() + 8 * 24 * 3_600_000) }
    await tidyCustomerSide({ ...customer, clock: later })
    expect(await openings()).toBe(0)
  })

  /** Openings that no answer shows. */
  async function openings(): Promise<number> {
    const sql = `select 1 from connections_customer.connection where account_id = $1 and state = 'opening'`
    const { userId } = person.owner.user
    return (await two.us.platform.database.read((read) => runStatement(read, sql, [userId]))).length
  }
})

describe('an edit while a connection opens', () => {
  test('withdraws the slot, so that no service keeps an old value', async () => {
    aroundConnect(async (ask) => {
      await demand(person.put('first_name', 'Augusta'), 200)
      return ask()
    })
    const record = await demand(person.connect(desk, [await person.linked(desk, 'name', 'first_name', 'Ada')]), 201)
    const id = String(record['id'])
    expect(await person.read(id)).toMatchObject({ mappings: [], pending_consent: ['name'] })
    await desk.waitForValue(id, 'name', null)
    const decisions = [await person.linked(desk, 'name', 'first_name', 'Augusta')]
    await demand(person.calls('POST', `/api/company-connections/consents/${id}/provide`, { body: { decisions } }), 200)
    await desk.waitForValue(id, 'name', 'Augusta')
    await leave()
  })

  test('withdraws the slot also when it deletes the value', async () => {
    aroundConnect(async (ask) => {
      await demand(person.calls('DELETE', `/api/contact-data/${person.field('first_name')}`), 204)
      return ask()
    })
    const decisions = [await person.linked(desk, 'name', 'first_name', 'Augusta')]
    const id = String((await demand(person.connect(desk, decisions), 201))['id'])
    await desk.waitForValue(id, 'name', null)
    expect(await person.read(id)).toMatchObject({ mappings: [], pending_consent: ['name'] })
    await leave()
    vi.restoreAllMocks()
    await demand(person.put('first_name', 'Ada'), 200)
  })
})

test('an edit concurrent with the opening of a connection is refused or leaves no old value', async () => {
  for (let round = 1; round <= 8; round += 1) {
    const editing = Promise.withResolvers<Answer>()
    aroundConnect(async (ask) => {
      const reply = await ask()
      editing.resolve(person.put('first_name', `round ${round}`))
      return reply
    })
    const decisions = [await person.linked(desk, 'name', 'first_name', 'before')]
    const id = await person.connected(desk, decisions)
    const edited = await editing.promise
    if (edited.status === 200) await desk.waitForValue(id, 'name', null)
    else {
      expect(keyOf(edited)).toBe('contact_data.shares_incomplete')
      expect(await desk.value(id, 'name')).toBe('before')
    }
    vi.restoreAllMocks()
    await leave()
  }
  await demand(person.put('first_name', 'Ada'), 200)
}, 60_000)

test("while the service's region is down, edits are answered at once and arrive later, and disconnecting fails", async () => {
  const id = await person.connected(desk, [await person.linked(desk, 'name', 'first_name', 'Ada')])
  await two.eu.close()
  const began = performance.now()
  await demand(person.put('first_name', 'Grace', [{ desk, connectionId: id, slug: 'name' }]), 200)
  expect(performance.now() - began).toBeLessThan(2500)
  expect(await person.read(id)).toMatchObject({ id, mappings: [{ slug: 'name' }] })
  const ended = await person.calls('DELETE', `/api/company-connections/${id}`)
  expect([ended.status, keyOf(ended)]).toEqual([503, 'region.unreachable'])
  expect(await person.list()).toHaveLength(1)
  const connected = await person.connect(desk, [])
  expect([connected.status, keyOf(connected)]).toEqual([503, 'region.unreachable'])
  const back = await two.another('eu')
  desk.moveTo(back.url ?? '')
  await desk.waitForValue(id, 'name', 'Grace')
  await demand(person.calls('DELETE', `/api/company-connections/${id}`), 204)
  expect(await person.list()).toEqual([])
})
