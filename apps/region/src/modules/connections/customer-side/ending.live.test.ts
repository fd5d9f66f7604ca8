import type { ConnectionId } from '@sealpost/kernel'
import { bodyOf, keyOf, openWorld, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { changeOpenContracts } from '../index.ts'

const CONNECTIONS = '/api/company-connections'
const CONNECT_REQUESTS = '/api/customer/connect-requests'
const IN_TIME = { timeout: scaled(15_000) }
const LINKED = { slug: 'name', kind: 'linked', source: 'first_name', text: 'Ada' } as const

const world = await openWorld()
const service = await world.service([{ slug: 'name' }])
const [person, other] = [await world.person(), await world.person()]
expect(await person.put('first_name', 'Ada')).toMatchObject({ status: 200 })

describe('a connection ends', () => {
  test('by its customer, on both sides at once; a field that fed it asks for no share any more', async () => {
    const id = await person.connected(service, [LINKED])
    await service.drain()
    expect((await person.disconnect(id)).status).toBe(204)
    expect(await service.read(id)).toBeNull()
    expect(await person.connections()).toEqual([])
    expect(await service.events(1)).toEqual([
      expect.objectContaining({ event: 'connection_deleted', connection_id: id }),
    ])
    const again = await person.disconnect(id)
    expect([again.status, keyOf(again)]).toEqual([404, 'company_data.connection_not_found'])
    expect((await person.put('first_name', 'Ada')).status).toBe(200)
  })

  test('by its service, and the customer can connect again', async () => {
    const id = await person.connected(service, [{ slug: 'name', text: 'Ada' }])
    expect(await service.data('DELETE', `/api/company-data/connections/${id}`)).toMatchObject({ status: 204 })
    await expect.poll(() => person.connections(), IN_TIME).toEqual([])
    const next = await person.connected(service)
    expect(next).not.toBe(id)
    expect(await person.disconnect(next)).toMatchObject({ status: 204 })
  })

  test('not while a contract is active', async () => {
    const id = await person.connected(service)
    const name = { companyId: service.company.companyId, serviceId: service.serviceId }
    const change = (by: 1 | -1) =>
      world.eu.platform.database.transaction((tx) => changeOpenContracts(tx, name, id as ConnectionId, by))
    await change(1)
    const refused = await person.disconnect(id)
    expect([refused.status, keyOf(refused)]).toEqual([409, 'company_connections.active_contract'])
    await change(-1)
    expect((await person.disconnect(id)).status).toBe(204)
  })

  test('with its service', async () => {
    const doomed = await world.service([{ slug: 'name' }], { company: service.company })
    const id = await person.connected(doomed, [LINKED])
    expect(await doomed.portal('DELETE', doomed.path)).toMatchObject({ status: 204 })
    await expect.poll(() => person.connections(), IN_TIME).toEqual([])
    expect((await person.calls('GET', `${CONNECTIONS}/${id}`)).status).toBe(404)
    const total = async () => (await person.calls('GET', CONNECTIONS)).body['total']
    await expect.poll(total, IN_TIME).toBe(0)
    expect((await person.put('first_name', 'Ada')).status).toBe(200)
    const gone = await person.connect(doomed)
    expect([gone.status, keyOf(gone)]).toEqual([404, 'services.not_found'])
  })

  test('with its customer, whose share code is not in the event', async () => {
    const { person: leaving, connectionId } = await world.customer(service, [{ slug: 'name', text: 'Bob' }])
    await service.drain()
    await leaving.erase()
    await expect.poll(() => service.read(connectionId), IN_TIME).toBeNull()
    expect(await service.events(1)).toEqual([
      expect.objectContaining({ event: 'connection_deleted', connection_id: connectionId, share_code: null }),
    ])
  })
})

test('a new name of a customer reaches the services', async () => {
  const id = await person.connected(service)
  for (const name of ['Countess', 'Lady']) {
    expect(await person.calls('PUT', '/api/profile', { body: { display_name: name } })).toMatchObject({ status: 200 })
  }
  const shown = async () => (await service.read(id))?.['display_name']
  await expect.poll(shown, IN_TIME).toBe('Lady')
  expect(await person.disconnect(id)).toMatchObject({ status: 204 })
})

describe('a connect request', () => {
  async function invite(invited = person, message?: string): Promise<string> {
    const body = { share_code: invited.shareCode, ...(message === undefined ? {} : { message }) }
    const made = await bodyOf(service.data('POST', '/api/company-data/connect-requests', { body }), 201)
    const id = String(made['request_id'])
    await expect.poll(() => invited.connectRequests(), IN_TIME).toContainEqual(expect.objectContaining({ id }))
    return id
  }

  const answer = (id: string, verb: string, decisions?: readonly unknown[]) =>
    person.calls('POST', `${CONNECT_REQUESTS}/${id}/${verb}`, decisions === undefined ? {} : { body: { decisions } })

  test('is listed, validated like any connect, and accepted even after the service changed its code [CREQ-04]', async () => {
    const id = await invite(person, 'Please join')
    const { serviceId: service_id, company } = service
    expect(await person.connectRequests()).toMatchObject([
      { id, message: 'Please join', company: { share_code: company.shareCode }, service: { service_id } },
    ])
    const clear = await answer(id, 'accept', [{ request_field_id: service.row('name'), kind: 'typed', value: 'clear' }])
    expect([clear.status, keyOf(clear)]).toEqual([400, 'contact_data.encryption_required'])
    expect(
      await service.portal('PUT', `${service.path}/share-code`, { body: { share_code: 'RENAMED' } }),
    ).toMatchObject({ status: 200 })
    await service.drain()
    const decisions = await person.decide(service, [{ slug: 'name', text: 'Ada' }])
    const accepted = await bodyOf(answer(id, 'accept', decisions), 201)
    expect(await person.connectRequests()).toEqual([])
    const events = await service.events(2)
    expect(events.map(({ event }) => event).toSorted()).toEqual(['connection_created', 'connection_request_accepted'])
    expect(events).toEqual(expect.arrayContaining([expect.objectContaining({ request_id: id })]))
    const again = await answer(id, 'accept', [])
    expect([again.status, keyOf(again)]).toEqual([404, 'company_connections.request_not_found'])
    expect(await person.disconnect(String(accepted['id']))).toMatchObject({ status: 204 })
  })

  test('can be rejected once', async () => {
    const id = await invite()
    await service.drain()
    expect((await answer(id, 'reject')).body).toEqual({ request_id: id, status: 'rejected' })
    expect(await service.events(1)).toEqual([
      expect.objectContaining({ event: 'connection_request_rejected', request_id: id }),
    ])
    const again = await answer(id, 'reject')
    expect([again.status, keyOf(again)]).toEqual([404, 'company_connections.request_not_found'])
  })

  test('of another person answers the same 404 as a missing one; 401 without a login', async () => {
    const theirs = await invite(other)
    for (const verb of ['accept', 'reject']) {
      const [foreign, missing] = await Promise.all(
        [theirs, '019a0000-0000-7000-8000-000000000000'].map((id) => answer(id, verb, [])),
      )
      expect([foreign?.status, foreign?.text]).toEqual([404, missing?.text])
    }
    expect((await world.anonymous('GET', CONNECT_REQUESTS, { url: person.apiUrl })).status).toBe(401)
  })
})
