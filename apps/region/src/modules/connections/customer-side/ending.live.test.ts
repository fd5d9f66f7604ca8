import type { ConnectionId, ServiceId } from '@sealpost/kernel'
import {
  demand,
  type Desk,
  keyOf,
  listOf,
  openCustomer,
  northwind,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeOpenContracts } from '../index.ts'

let two: TwoRegions
let person: TestCustomer
let desk: Desk

beforeAll(async () => {
  two = await startWithoutLimits()
  person = await openCustomer(two)
  await demand(person.put('first_name', 'Ada'), 200)
  desk = await openDesk(two, [{ slug: 'name' }])
})
afterAll(() => two.close())

async function waitForNone(): Promise<void> {
  await waitUntil('nothing is connected', 15_000, async () => (await person.list()).length === 0)
}

describe('a connection ends', () => {
  test('by its customer, on both sides at once; a field that fed it asks for no share any more', async () => {
    const id = await person.connected(desk, [await person.linked(desk, 'name', 'first_name', 'Ada')])
    await desk.drain()
    await demand(person.calls('DELETE', `/api/company-connections/${id}`), 204)
    expect(await desk.read(id)).toBeNull()
    expect(await person.list()).toEqual([])
    expect(await desk.events(1)).toEqual([expect.objectContaining({ event: 'connection_deleted', connection_id: id })])
    const again = await person.calls('DELETE', `/api/company-connections/${id}`)
    expect([again.status, keyOf(again)]).toEqual([404, 'company_data.connection_not_found'])
    await demand(person.put('first_name', 'Ada'), 200)
  })

  test('by its service, and the customer can connect again', async () => {
    const id = await person.connected(desk, [await person.typed(desk, 'name', 'Ada')])
    await demand(desk.data('DELETE', `/api/company-data/connections/${id}`), 204)
    await waitForNone()
    const next = await person.connected(desk, [])
    expect(next).not.toBe(id)
    await demand(person.calls('DELETE', `/api/company-connections/${next}`), 204)
  })

  test('not while a contract is active', async () => {
    const id = await person.connected(desk, [])
    const service = { companyId: northwind.companyId, serviceId: desk.serviceId as ServiceId }
    const change = (by: 1 | -1) =>
      two.eu.platform.database.transaction((tx) => changeOpenContracts(tx, service, id as ConnectionId, by))
    await change(1)
    const refused = await person.calls('DELETE', `/api/company-connections/${id}`)
    expect([refused.status, keyOf(refused)]).toEqual([409, 'company_connections.active_contract'])
    await change(-1)
    await demand(person.calls('DELETE', `/api/company-connections/${id}`), 204)
  })

  test('with its service', async () => {
    const doomed = await openDesk(two, [{ slug: 'name' }])
    const id = await person.connected(doomed, [await person.linked(doomed, 'name', 'first_name', 'Ada')])
    await demand(doomed.portal('DELETE', `/api/services/${doomed.serviceId}`), 204)
    await waitForNone()
    expect((await person.calls('GET', `/api/company-connections/${id}`)).status).toBe(404)
    await waitUntil('nothing is counted', 15_000, async () => {
      return (await person.calls('GET', '/api/company-connections')).body['total'] === 0
    })
    await demand(person.put('first_name', 'Ada'), 200)
    const gone = await person.connect(doomed, [])
    expect([gone.status, keyOf(gone)]).toEqual([404, 'services.not_found'])
  })

  test('with its customer, whose share code is not in the event', async () => {
    const leaving = await openCustomer(two)
    const id = await leaving.connected(desk, [await person.typed(desk, 'name', 'Bob')])
    await desk.drain()
    await two.us.operations.eraseAccount(leaving.owner.user.userId)
    await waitUntil('the service knows', 15_000, async () => (await desk.read(id)) === null)
    expect(await desk.events(1)).toEqual([
      expect.objectContaining({ event: 'connection_deleted', connection_id: id, share_code: null }),
    ])
  })
})

test('a new name of a customer reaches the services', async () => {
  const id = await person.connected(desk, [])
  for (const name of ['Countess', 'Lady']) {
    await demand(person.calls('PUT', '/api/profile', { body: { display_name: name } }), 200)
  }
  await waitUntil('the name is there', 15_000, async () => (await desk.read(id))?.['display_name'] === 'Lady')
  await demand(person.calls('DELETE', `/api/company-connections/${id}`), 204)
})

describe('a connect request', () => {
  async function invite(message?: string): Promise<string> {
    const body = { share_code: person.owner.user.shareCode, ...(message === undefined ? {} : { message }) }
    const made = await desk.data('POST', '/api/company-data/connect-requests', { body })
    expect([200, 201]).toContain(made.status)
    const id = String(made.body['request_id'])
    await waitUntil('the request is there', 15_000, async () => (await requests()).some((each) => each['id'] === id))
    return id
  }

  async function requests(): Promise<readonly Record<string, unknown>[]> {
    const { body } = await person.calls('GET', '/api/customer/connect-requests')
    return listOf(body['connect_requests'])
  }

  const answer = (id: string, verb: string, decisions?: readonly unknown[]) =>
    person.calls(
      'POST',
      `/api/customer/connect-requests/${id}/${verb}`,
      decisions === undefined ? {} : { body: { decisions } },
    )

  test('is listed, validated like any connect, and accepted even after the service changed its code [CREQ-04]', async () => {
    const id = await invite('Please join')
    expect(await requests()).toMatchObject([
      { id, message: 'Please join', company: { share_code: 'NRTHWD' }, service: { service_id: desk.serviceId } },
    ])
    const clear = await answer(id, 'accept', [{ request_field_id: desk.row('name'), kind: 'typed', value: 'clear' }])
    expect([clear.status, keyOf(clear)]).toEqual([400, 'contact_data.encryption_required'])
    await demand(
      desk.portal('PUT', `/api/services/${desk.serviceId}/share-code`, { body: { share_code: 'RENAMED' } }),
      200,
    )
    await desk.drain()
    const accepted = await demand(answer(id, 'accept', [await person.typed(desk, 'name', 'Ada')]), 201)
    expect(await requests()).toEqual([])
    const events = await desk.events(2)
    expect(events.map(({ event }) => String(event)).toSorted()).toEqual([
      'connection_created',
      'connection_request_accepted',
    ])
    expect(events).toEqual(expect.arrayContaining([expect.objectContaining({ request_id: id })]))
    const again = await answer(id, 'accept', [])
    expect([again.status, keyOf(again)]).toEqual([404, 'company_connections.request_not_found'])
    await demand(person.calls('DELETE', `/api/company-connections/${String(accepted['id'])}`), 204)
  })

  test('can be rejected once', async () => {
    const id = await invite()
    await desk.drain()
    expect((await answer(id, 'reject')).body).toEqual({ request_id: id, status: 'rejected' })
    expect(await desk.events(1)).toEqual([
      expect.objectContaining({ event: 'connection_request_rejected', request_id: id }),
    ])
    const again = await answer(id, 'reject')
    expect([again.status, keyOf(again)]).toEqual([404, 'company_connections.request_not_found'])
  })

  test('of another person answers the same 404 as a missing one; 401 without a login', async () => {
    const other = await openCustomer(two)
    const body = { share_code: other.owner.user.shareCode }
    const made = await demand(desk.data('POST', '/api/company-data/connect-requests', { body }), 201)
    const at = '/api/customer/connect-requests'
    await waitUntil('it is there', 15_000, async () => {
      return listOf((await other.calls('GET', at)).body['connect_requests']).length === 1
    })
    for (const verb of ['accept', 'reject']) {
      const [foreign, missing] = await Promise.all(
        [String(made['request_id']), '019a0000-0000-7000-8000-000000000000'].map((id) => answer(id, verb, [])),
      )
      expect([foreign?.status, foreign?.text]).toEqual([404, missing?.text])
    }
    expect((await fetch(`${person.owner.apiUrl}${at}`)).status).toBe(401)
  })
})
