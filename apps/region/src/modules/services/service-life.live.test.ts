import { askToken, type Calls, keyOf, makeService, openWorld, scaled, serviceBody } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const DAY_MS = 86_400_000
const IN_TIME = { timeout: scaled(20_000) }

const world = await openWorld()
const company = await world.company()
const { portal } = company

/** Of a connection, as its customer gets it. */
const statusOf = async (person: { readonly calls: Calls }, connectionId: string): Promise<number> =>
  (await person.calls('GET', `/api/company-connections/${connectionId}`)).status

describe('DELETE /api/services/{id}', () => {
  test('ends the service, its data client and its connections in every region', async () => {
    const service = await world.service([], { company })
    const { path } = service
    const customers = [await world.customer(service), await world.customer(service)] as const
    expect((await service.data('GET', '/api/company-data/whoami')).status).toBe(200)
    const before = (await portal('GET', '/api/services')).body['total']
    expect((await portal('DELETE', path)).status).toBe(204)
    for (const tail of ['', '/request-fields', '/share-fields', '/logs', '/client']) {
      const response = await portal('GET', `${path}${tail}`)
      expect([tail, response.status, keyOf(response)]).toEqual([tail, 404, 'services.not_found'])
    }
    expect(keyOf(await portal('DELETE', path))).toBe('services.not_found')
    expect((await portal('GET', '/api/services')).body['total']).toBe(Number(before) - 1)
    expect(keyOf(await service.data('GET', '/api/company-data/whoami'))).toBe('auth.token_invalid')
    const late = await customers[0].person.calls('GET', `/api/company-connections/lookup/${service.code}`)
    expect(late.status).toBe(404)
    for (const { person, connectionId } of customers) {
      await expect.poll(() => statusOf(person, connectionId), IN_TIME).toBe(404)
    }
    // The company keeps nothing of it, so the key goes at the end.
    await expect.poll(async () => (await portal('GET', `${path}/private-key`)).status, IN_TIME).toBe(404)
    expect((await portal('GET', '/api/services?deleted=true')).body['items']).toEqual([])
  })

  test('frees the share code when the last connection has ended', async () => {
    const service = await world.service([], { company, shareCode: 'AGAIN' })
    await world.customer(service)
    expect((await portal('DELETE', service.path)).status).toBe(204)
    const body = await serviceBody({ share_code: 'AGAIN' })
    const answers: unknown[] = []
    const makeAgain = async (): Promise<unknown> => {
      const response = await portal('POST', '/api/services', { body })
      answers.push(response.status === 201 ? 'made' : keyOf(response))
      return answers.at(-1)
    }
    await expect.poll(makeAgain, IN_TIME).toBe('made')
    expect(new Set([...answers, 'services.share_code_taken'])).toEqual(new Set(['services.share_code_taken', 'made']))
  })

  test('is part of the erasure of the company’s account', async () => {
    const service = await world.service()
    const { person, connectionId } = await world.customer(service)
    await service.company.erase()
    expect((await service.portal('GET', service.path)).status).toBe(401)
    await expect.poll(() => statusOf(person, connectionId), IN_TIME).toBe(404)
  })
})

describe('the level of the company', () => {
  test('gates the registration of a data client, and its tokens seven days after a move to free [SERVICE-15]', async () => {
    const moving = await world.company({ level: 'free' })
    const own = moving.portal
    const path = await makeService(own)
    const refused = await own('POST', `${path}/client`)
    expect([refused.status, keyOf(refused), refused.body['required_level']]).toEqual([
      403,
      'account.level_required',
      'basic',
    ])
    await moving.setLevel('basic')
    const { status, body } = await own('POST', `${path}/client`)
    expect(status).toBe(201)
    const request = () => askToken(world, body['client_id'], body['client_secret'])
    await moving.setLevel('free')
    world.clock.advance(7 * DAY_MS - 1)
    expect((await request()).status).toBe(200)
    world.clock.advance(1)
    const late = await request()
    expect([late.status, keyOf(late)]).toEqual([400, 'account.level_required'])
  })
})
