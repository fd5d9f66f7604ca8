import { parseClientId } from '@sealpost/kernel'
import { allOperations, type Operation } from '@sealpost/protocol'
import { keyOf, openWorld, type Service } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { awaitGuards, findClientState, putClientState, recordChange } from '../../access/index.ts'

const UNKNOWN_ID = '019a0000-0000-7000-8000-00000000dead'

const world = await openWorld()
const service = await world.service([{ slug: 'mail', type: 'email' }])
const { connectionId } = await world.customer(service, [{ slug: 'mail', text: 'mara@home.example' }])
/** Another service of the same company; its client has a pattern for every path. */
const greedy = await world.service([], { company: service.company })
await grantEverything(greedy)

async function grantEverything({ client }: Service): Promise<void> {
  const { database, clock } = world.eu.platform
  const revision = await database.transaction(async (tx) => {
    const clientId = parseClientId(client.clientId)
    const state = clientId === null ? null : await findClientState(tx, clientId)
    if (state === null) expect.fail('no client')
    await putClientState(tx, { ...state, patterns: ['*'] })
    return recordChange(tx, state.clientId, clock.now())
  })
  await awaitGuards(database, revision)
}

/** Path parameters are filled with existing ids. */
function pathOf({ path }: Operation): string {
  const ids = [path.startsWith('/api/services/') ? service.serviceId : connectionId, UNKNOWN_ID]
  return path.replaceAll(/\{\w+\}/g, () => ids.shift() ?? UNKNOWN_ID)
}

function send(operation: Operation) {
  const body = operation.method === 'POST' || operation.method === 'PUT' ? { body: {} } : {}
  return greedy.data(operation.method, pathOf(operation), body)
}

describe('a data client with patterns for every path', () => {
  const regional = allOperations.filter(({ callers, document }) => callers.length > 0 && document !== 'front-door')
  const closed = regional.filter(({ callers, path }) => path.startsWith('/api/') && !callers.includes('service_client'))

  test('reaches no portal or app route by any method [AUTH-09]', async () => {
    expect(closed.length).toBeGreaterThan(60)
    for (const prefix of [
      '/api/services',
      '/api/account',
      '/api/company-connections',
      '/api/contact-data',
      '/api/customer',
    ])
      expect(closed.some(({ path }) => path.startsWith(prefix))).toBe(true)
    for (const operation of closed) {
      const answer = await send(operation)
      expect([operation.id, answer.status, keyOf(answer)]).toEqual([
        operation.id,
        403,
        'auth.client_endpoint_forbidden',
      ])
    }
  })

  test('gets the same answer for another service of its company as for a missing one [AUTH-09]', async () => {
    const field = service.row('mail')
    const routes = [
      ['GET', `/api/company-data/connections/{}`],
      ['DELETE', `/api/company-data/connections/{}`],
      ['GET', `/api/company-data/connections/{}/slots/${field}/file`],
    ] as const
    for (const [method, route] of routes) {
      const [theirs, missing] = [connectionId, UNKNOWN_ID].map((id) => greedy.data(method, route.replace('{}', id)))
      const [found, none] = [await theirs, await missing]
      expect([route, found?.status, found?.text]).toEqual([route, none?.status, none?.text])
      expect(found?.status).toBe(404)
    }
    for (const query of ['', `?service_id=${service.serviceId}`]) {
      const listed = await greedy.data('GET', `/api/company-data/connections${query}`)
      expect([listed.status, listed.body['total'], listed.body['items']]).toEqual([200, 0, []])
      const drained = await greedy.data('GET', `/api/company-data/changes${query}`)
      expect(JSON.stringify(drained.body)).not.toContain(connectionId)
      const rows = await greedy.data('GET', `/api/company-data/request-fields${query}`)
      expect(rows.body['request_fields']).toEqual([])
    }
    expect((await service.data('GET', `/api/company-data/connections/${connectionId}`)).status).toBe(200)
  })
})
