import { createHash } from 'node:crypto'
import { bodyOf, keyOf, listOf, openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const world = await openWorld()
const service = await world.service()
const { company } = service
const { person } = await world.customer(service)
/** A company in us that is a customer of the service. */
const buyer = await world.company({ region: 'us' })
await buyer.connected(service)
const client = await buyer.accountClient(['customer_connections'])
const unconnected = await world.person()
const allCallers = [service.data, service.portal, person.calls, buyer.calls, client.calls]

function fingerprint(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
}

describe('GET /api/keys/{shareCode}', () => {
  test('returns the key of a person of any region, with its fingerprint [CONN-17]', async () => {
    const { publicKey } = person.keys
    for (const calls of allCallers) {
      expect(await bodyOf(calls('GET', `/api/keys/${person.shareCode}`))).toEqual({
        public_key: publicKey,
        public_key_sha256: fingerprint(publicKey),
        user_id: person.userId,
        share_code: person.shareCode,
        user_type: 'person',
      })
    }
  })

  test('returns the account key of a company; the code is case-insensitive', async () => {
    const answer = await bodyOf(service.data('GET', `/api/keys/${buyer.shareCode.toLowerCase()}`))
    expect(answer).toMatchObject({
      public_key: buyer.keys.publicKey,
      share_code: buyer.shareCode,
      user_type: 'company',
    })
  })

  test('an unknown code answers 404, a missing token 401', async () => {
    const answer = await service.data('GET', '/api/keys/ZZZZZZ')
    expect([answer.status, keyOf(answer)]).toEqual([404, 'keys.not_found'])
    expect((await world.anonymous('GET', `/api/keys/${person.shareCode}`)).status).toBe(401)
  })
})

describe('GET /api/keys/{companyCode}/{serviceCode}', () => {
  test('returns the key of the service in any region', async () => {
    for (const calls of allCallers) {
      expect(await bodyOf(calls('GET', `/api/keys/${service.code.toLowerCase()}`))).toEqual({
        public_key: service.publicKey,
        public_key_sha256: fingerprint(service.publicKey),
        service_id: service.serviceId,
      })
    }
  })

  test('answers 404 for an unknown service, an unknown company and a person', async () => {
    for (const code of [`${company.shareCode}/NONE`, 'ZZZZZZ/NONE', `${person.shareCode}/NONE`]) {
      const answer = await service.data('GET', `/api/keys/${code}`)
      expect([answer.status, keyOf(answer)]).toEqual([404, 'keys.not_found'])
    }
  })
})

describe('POST /api/keys/batch', () => {
  test('a service gets the keys of its own customers only', async () => {
    const user_ids = [person, buyer, unconnected].map(({ userId }) => userId)
    const keys = {
      [person.userId]: person.keys.publicKey,
      [buyer.userId]: buyer.keys.publicKey,
    }
    expect(await bodyOf(service.data('POST', '/api/keys/batch', { body: { user_ids } }))).toEqual({ keys })
    const sibling = await world.service([], { company })
    expect(await bodyOf(sibling.data('POST', '/api/keys/batch', { body: { user_ids } }))).toEqual({ keys: {} })
  })

  test('a customer gets the account keys of the companies it is connected to', async () => {
    // Customers of one service do not see each other.
    const [user_ids, others] = [person, buyer].map(({ userId }) => [company.companyId, userId])
    const keys = { [company.companyId]: company.keys.publicKey }
    expect(await bodyOf(person.calls('POST', '/api/keys/batch', { body: { user_ids: others } }))).toEqual({ keys })
    expect(await bodyOf(buyer.calls('POST', '/api/keys/batch', { body: { user_ids } }))).toEqual({ keys })
    expect(await bodyOf(unconnected.calls('POST', '/api/keys/batch', { body: { user_ids } }))).toEqual({ keys: {} })
  })

  test('includes the caller: the key of the service by the id of its company, else the own account key', async () => {
    const own = async (calls: typeof service.data, userId: string) => {
      const { keys } = await bodyOf(calls('POST', '/api/keys/batch', { body: { user_ids: [userId] } }))
      return keys
    }
    const { companyId } = company
    expect(await own(service.data, companyId)).toEqual({ [companyId]: service.publicKey })
    expect(await own(service.portal, companyId)).toEqual({ [companyId]: company.keys.publicKey })
    expect(await own(person.calls, person.userId)).toEqual({ [person.userId]: person.keys.publicKey })
    expect(await own(client.calls, buyer.userId)).toEqual({ [buyer.userId]: buyer.keys.publicKey })
    const path = `${service.path}/keys/batch`
    const { keys } = await bodyOf(service.portal('POST', path, { body: { user_ids: [companyId] } }))
    expect(keys).toEqual({ [companyId]: service.publicKey })
  })

  test.each([{}, { user_ids: 'x' }, { user_ids: ['x'] }, { user_ids: Array(101).fill('x') }])(
    '%j is refused',
    async (body) => {
      expect(keyOf(await service.data('POST', '/api/keys/batch', { body }))).toBe('request.invalid')
    },
  )
})

describe('routes for managers of the service', () => {
  test('the list of connections has keys and no values', async () => {
    const path = `${service.path}/connections`
    const { total, items } = await bodyOf(service.portal('GET', path))
    expect(total).toBe(2)
    expect(listOf(items).find(({ user_id }) => user_id === person.userId)).toEqual({
      id: expect.any(String),
      connection_id: expect.any(String),
      person_id: person.userId,
      user_id: person.userId,
      customer_type: 'person',
      share_code: person.shareCode,
      display_name: person.displayName,
      public_key: person.keys.publicKey,
    })
    const first = await bodyOf(service.portal('GET', `${path}?limit=1`))
    const rest = await bodyOf(service.portal('GET', `${path}?limit=1&cursor=${String(first['next_cursor'])}`))
    expect([...listOf(first['items']), ...listOf(rest['items'])]).toEqual(items)
    expect(rest['next_cursor']).toBeNull()
    expect(keyOf(await service.portal('GET', `${path}?cursor=connections~${service.serviceId}`))).toBe(
      'request.invalid',
    )
  })

  test('keys are answered by user id; for another company the service answers 404', async () => {
    const path = `${service.path}/keys/batch`
    const body = { user_ids: [person.userId] }
    expect(await bodyOf(service.portal('POST', path, { body }))).toEqual({
      keys: { [person.userId]: person.keys.publicKey },
    })
    const other = await world.company()
    for (const [method, at] of [
      ['POST', path],
      ['GET', `${service.path}/connections`],
    ] as const) {
      const answer = await other.portal(method, at, method === 'POST' ? { body } : {})
      expect([answer.status, keyOf(answer)]).toEqual([404, 'services.not_found'])
    }
  })
})
