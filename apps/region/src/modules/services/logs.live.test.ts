import { type Answer, clientCalls, keyOf, makeService, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { logService, tidyLogs } from './operations/logs.ts'

const OWN = '/api/company-data/logs'
const DAY_MS = 86_400_000

const world = await openWorld()
const company = await world.company()
const { portal } = company

function entriesOf({ body }: Answer): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body['items']) ? body['items'] : expect.fail('no list')
}

const messagesOf = (answer: Answer) => entriesOf(answer).map(({ message }) => message)

describe('the log of a service', () => {
  test('has its changes and those of its client, newest first, for the portal and the data client', async () => {
    const path = await makeService(portal)
    const client = (await portal('POST', `${path}/client`)).body
    const service = await clientCalls(world, client['client_id'], client['client_secret'])
    await portal('PUT', `${path}/number-matching`, { body: { number_matching: true } })
    const response = await portal('GET', `${path}/logs`)
    expect(entriesOf(response)[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'config',
      message: 'Number matching was switched on',
      metadata: { action: 'services.change_number_matching', actor_id: company.userId },
      created_at: world.time(),
      at: world.time(),
    })
    expect(messagesOf(response)).toEqual([
      'Number matching was switched on',
      'The data client was registered',
      'The service was made',
    ])
    expect(response.body).toMatchObject({ total: 3, next_cursor: null })
    expect((await service('GET', OWN)).body).toEqual(response.body)
    expect(messagesOf(await service('GET', `${OWN}?type=client`))).toEqual(['The data client was registered'])
    expect((await service('GET', `${OWN}?type=webhook`)).body).toMatchObject({ total: 0, items: [] })
  })

  test('is filtered by time and read in pages', async () => {
    const path = await makeService(portal)
    const switchTo = (number_matching: boolean) =>
      portal('PUT', `${path}/number-matching`, { body: { number_matching } })
    world.clock.advance(60_000)
    const since = new Date(world.clock.now()).toISOString()
    await switchTo(true)
    world.clock.advance(60_000)
    await switchTo(false)
    const logs = `${path}/logs`
    expect(messagesOf(await portal('GET', `${logs}?since=${since}`))).toHaveLength(2)
    const first = await portal('GET', `${logs}?limit=2`)
    const next = String(first.body['next_cursor'])
    const rest = await portal('GET', `${logs}?cursor=${encodeURIComponent(next)}`)
    expect([...messagesOf(first), ...messagesOf(rest)]).toEqual([
      'Number matching was switched off',
      'Number matching was switched on',
      'The service was made',
    ])
    expect([first.body['total'], rest.body['total'], rest.body['next_cursor']]).toEqual([3, 3, null])
    expect((await portal('GET', `${logs}?limit=1&since=${since}`)).body).toMatchObject({ total: 2 })
    for (const query of [`cursor=${encodeURIComponent(next)}&type=config`, 'since=yesterday', 'type=all', 'limit=0']) {
      expect([query, keyOf(await portal('GET', `${logs}?${query}`))]).toEqual([query, 'request.invalid'])
    }
  })

  test('is kept for 90 days', async () => {
    const { path, serviceId } = await world.service([], { company })
    world.clock.advance(60 * DAY_MS)
    const service = { companyId: company.userId, serviceId }
    const { services } = world.eu.modules
    const entry = { type: 'config', message: 'Later' } as const
    await services.database.transaction((tx) => logService(services, tx, service, entry))
    world.clock.advance(31 * DAY_MS)
    await tidyLogs(services, 2)
    const response = await portal('GET', `${path}/logs`)
    expect([messagesOf(response), response.body['total']]).toEqual([['Later'], 1])
  })

  test('of another company answers the same 404 as that of a missing service', async () => {
    const { path } = await world.service([], { company })
    const other = await world.company()
    const missing = await other.portal('GET', '/api/services/019a0000-0000-7000-8000-0000000000ff/logs')
    expect(await other.portal('GET', `${path}/logs`)).toMatchObject({ status: 404, text: missing.text })
    expect((await world.anonymous('GET', `${path}/logs`)).status).toBe(401)
    expect(keyOf(await portal('GET', OWN))).toBe('company_data.no_client')
  })
})
