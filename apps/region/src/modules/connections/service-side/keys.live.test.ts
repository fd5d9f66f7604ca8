import { createHash } from 'node:crypto'
import {
  call,
  type Calls,
  callsWith,
  connectTo,
  demand,
  keyOf,
  newShopper,
  newOwner,
  openAccountClient,
  openShop,
  openShopService,
  type Owner,
  type Shop,
  startTwoRegions,
  type TwoRegions,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let two: TwoRegions
let shop: Shop
let person: Owner
/** A company in us that is a customer of the shop. */
let buyer: Owner

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000' })
  shop = await openShop(two)
  person = await newShopper(two)
  buyer = await newOwner(two, { userType: 'company', region: 'us' })
  await connectTo(shop, person)
  await connectTo(shop, buyer)
})
afterAll(() => two.close())

function fingerprint(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
}

async function allCallers(): Promise<readonly Calls[]> {
  const acct = await openAccountClient(two, buyer, ['customer_connections'])
  const as = ({ apiUrl, token }: { readonly apiUrl: string; readonly token: string }) => callsWith(apiUrl, token)
  return [shop.data, shop.portal, as(person), as(buyer), as(acct)]
}

describe('GET /api/keys/{shareCode}', () => {
  test('returns the key of a person of any region, with its fingerprint [CONN-17]', async () => {
    const { publicKey } = person.user.keys
    for (const calls of await allCallers()) {
      expect(await demand(calls('GET', `/api/keys/${person.user.shareCode}`))).toEqual({
        public_key: publicKey,
        public_key_sha256: fingerprint(publicKey),
        user_id: person.user.userId,
        share_code: person.user.shareCode,
        user_type: 'person',
      })
    }
  })

  test('returns the account key of a company; the code is case-insensitive', async () => {
    const answer = await demand(shop.data('GET', `/api/keys/${buyer.user.shareCode.toLowerCase()}`))
    expect(answer).toMatchObject({
      public_key: buyer.user.keys.publicKey,
      share_code: buyer.user.shareCode,
      user_type: 'company',
    })
  })

  test('an unknown code answers 404, a missing token 401', async () => {
    const answer = await shop.data('GET', '/api/keys/ZZZZZZ')
    expect([answer.status, keyOf(answer)]).toEqual([404, 'keys.not_found'])
    expect((await call(two.eu.url ?? '', 'GET', `/api/keys/${person.user.shareCode}`)).status).toBe(401)
  })
})

describe('GET /api/keys/{companyCode}/{serviceCode}', () => {
  test('returns the key of the service in any region', async () => {
    for (const calls of await allCallers()) {
      expect(await demand(calls('GET', `/api/keys/${shop.code.toLowerCase()}`))).toEqual({
        public_key: shop.service.publicKey,
        public_key_sha256: fingerprint(shop.service.publicKey),
        service_id: shop.service.serviceId,
      })
    }
  })

  test('answers 404 for an unknown service, an unknown company and a person', async () => {
    for (const code of [`${shop.company.shareCode}/NONE`, 'ZZZZZZ/NONE', `${person.user.shareCode}/NONE`]) {
      const answer = await shop.data('GET', `/api/keys/${code}`)
      expect([answer.status, keyOf(answer)]).toEqual([404, 'keys.not_found'])
    }
  })
})

describe('POST /api/keys/batch', () => {
  test('a service gets the keys of its own customers only', async () => {
    const unconnected = await newShopper(two)
    const user_ids = [person, buyer, unconnected].map(({ user }) => user.userId)
    const keys = {
      [person.user.userId]: person.user.keys.publicKey,
      [buyer.user.userId]: buyer.user.keys.publicKey,
    }
    expect(await demand(shop.data('POST', '/api/keys/batch', { body: { user_ids } }))).toEqual({ keys })
    const sibling = await openShopService(two, shop.company, shop.portal)
    expect(await demand(sibling.data('POST', '/api/keys/batch', { body: { user_ids } }))).toEqual({ keys: {} })
  })

  test('a customer gets the account keys of the companies it is connected to', async () => {
    const user_ids = [shop.company.userId, person.user.userId]
    const keys = { [shop.company.userId]: shop.company.keys.publicKey }
    expect(await demand(person.call('POST', '/api/keys/batch', { user_ids }))).toEqual({ keys })
    expect(await demand(buyer.call('POST', '/api/keys/batch', { user_ids }))).toEqual({ keys })
    const unconnected = await newShopper(two)
    expect(await demand(unconnected.call('POST', '/api/keys/batch', { user_ids }))).toEqual({ keys: {} })
  })

  test.each([{}, { user_ids: 'x' }, { user_ids: ['x'] }, { user_ids: Array(101).fill('x') }])(
    '%j is refused',
    async (body) => {
      expect(keyOf(await shop.data('POST', '/api/keys/batch', { body }))).toBe('request.invalid')
    },
  )
})

describe('routes for managers of the service', () => {
  test('the list of connections has keys and no values', async () => {
    const path = `/api/services/${shop.service.serviceId}/connections`
    const { total, items } = await demand(shop.portal('GET', path))
    expect(total).toBe(2)
    expect((items as { user_id: string }[]).find(({ user_id }) => user_id === person.user.userId)).toEqual({
      id: expect.any(String),
      connection_id: expect.any(String),
      person_id: person.user.userId,
      user_id: person.user.userId,
      customer_type: 'person',
      share_code: person.user.shareCode,
      display_name: person.user.displayName,
      public_key: person.user.keys.publicKey,
    })
    const first = await demand(shop.portal('GET', `${path}?limit=1`))
    const rest = await demand(shop.portal('GET', `${path}?limit=1&cursor=${String(first['next_cursor'])}`))
    expect([...(first['items'] as object[]), ...(rest['items'] as object[])]).toEqual(items)
    expect(rest['next_cursor']).toBeNull()
    expect(keyOf(await shop.portal('GET', `${path}?cursor=connections~${shop.service.serviceId}`))).toBe(
      'request.invalid',
    )
  })

  test('keys are answered by user id; for another company the service answers 404', async () => {
    const path = `/api/services/${shop.service.serviceId}/keys/batch`
    const body = { user_ids: [person.user.userId] }
    expect(await demand(shop.portal('POST', path, { body }))).toEqual({
      keys: { [person.user.userId]: person.user.keys.publicKey },
    })
    const other = await openShop(two)
    for (const [method, at] of [
      ['POST', path],
      ['GET', `/api/services/${shop.service.serviceId}/connections`],
    ] as const) {
      const answer = await other.portal(method, at, method === 'POST' ? { body } : {})
      expect([answer.status, keyOf(answer)]).toEqual([404, 'services.not_found'])
    }
  })
})
