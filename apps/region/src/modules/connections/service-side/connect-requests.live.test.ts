import {
  type Calls,
  clientCalls,
  connectTo,
  decideOn,
  demand,
  drainFeed,
  drainEvents,
  keyOf,
  newShopper,
  newOwner,
  openShop,
  openShopService,
  passDays,
  setField,
  type Shop,
  startTwoRegions,
  type TwoRegions,
  waitUntil,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const DAY_MS = 86_400_000
const PATH = '/api/company-data/connect-requests'
const INBOX = '/api/customer/connect-requests'

type Person = Awaited<ReturnType<typeof newShopper>>

let two: TwoRegions
let shop: Shop

beforeAll(async () => {
  two = await startTwoRegions({ RATE_TOKEN: '6000', RATE_DATA: '6000', RATE_CHANGES: '6000' })
  shop = await openShop(two, [{ slug: 'mail', type: 'email' }])
})
afterAll(() => two.close())

async function invite(person: Person, body: object = {}, data: Calls = shop.data) {
  return data('POST', PATH, { body: { share_code: person.user.shareCode, ...body } })
}

async function waitForRequest(person: Person): Promise<Record<string, unknown>> {
  let found: Record<string, unknown> | undefined
  await waitUntil('the request has come', 20_000, async () => {
    const { connect_requests } = await demand(person.call('GET', INBOX))
    found = (connect_requests as Record<string, unknown>[])[0]
    return found !== undefined
  })
  return found ?? {}
}

describe('POST /api/company-data/connect-requests', () => {
  test('invites a person by share code; an open request is answered again [CREQ-01]', async () => {
    const person = await newShopper(two)
    const sent = await invite(person, { message: 'Please connect' })
    expect([sent.status, sent.body]).toEqual([201, { request_id: expect.any(String), status: 'pending' }])
    const again = await invite(person, { share_code: ` ${person.user.shareCode.toLowerCase()} ` })
    expect([again.status, again.body]).toEqual([200, sent.body])
    const crossing = await newShopper(two)
    const both = await Promise.all([invite(crossing), invite(crossing)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]))
    expect(both[0]?.body['request_id']).toBe(both[1]?.body['request_id'])
  })

  test('shows the person the company, the service and the message, and no value or key [CREQ-02]', async () => {
    const person = await newShopper(two)
    await setField(person, 'email', { text: 'mara@home.example' })
    const sent = await demand(invite(person, { message: 'For your order', value: 'x', public_key: 'y' }), 201)
    expect(Object.keys(sent).toSorted()).toEqual(['request_id', 'status'])
    const received = await waitForRequest(person)
    expect(received).toMatchObject({ message: 'For your order' })
    const text = JSON.stringify(received)
    for (const secret of [shop.service.publicKey, person.user.keys.publicKey, '"x"', '_enc']) {
      expect(text).not.toContain(secret)
    }
  })

  test('a repeated Idempotency-Key gets the stored answer', async () => {
    const person = await newShopper(two)
    const body = { share_code: person.user.shareCode }
    const first = await shop.data('POST', PATH, { body, key: 'once' })
    const second = await shop.data('POST', PATH, { body, key: 'once' })
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('refuses companies, the caller itself included [CREQ-03]', async () => {
    const company = await newOwner(two, { userType: 'company', region: 'us' })
    for (const share_code of [company.user.shareCode, shop.company.shareCode]) {
      const answer = await shop.data('POST', PATH, { body: { share_code } })
      expect([answer.status, keyOf(answer)]).toEqual([400, 'company_connections.persons_only'])
    }
  })

  test('refuses an unknown code, a connected person and an invalid body', async () => {
    const unknown = await shop.data('POST', PATH, { body: { share_code: 'ZZZZZZ' } })
    expect([unknown.status, keyOf(unknown)]).toEqual([404, 'company_data.share_code_not_found'])
    const person = await newShopper(two)
    await connectTo(shop, person)
    expect(keyOf(await invite(person))).toBe('company_data.already_connected')
    const bad = [{}, { share_code: '' }, { share_code: 5 }]
    for (const body of bad) expect(keyOf(await shop.data('POST', PATH, { body }))).toBe('request.invalid')
    const other = await newShopper(two)
    for (const message of ['a\nb', 'a\u0000b', '\u202eevil', 'x'.repeat(201)]) {
      expect(keyOf(await invite(other, { message }))).toBe('request.invalid')
    }
    expect((await invite(other, { message: 'é'.repeat(200) })).status).toBe(201)
  })

  test('requires level basic', async () => {
    const poor = await openShop(two)
    await two.eu.operations.setLevel(poor.company.userId, 'free')
    const answer = await invite(await newShopper(two), {}, poor.data)
    expect([answer.status, keyOf(answer), answer.body['required_level']]).toEqual([
      403,
      'account.level_required',
      'basic',
    ])
  })
})

describe('the answer of a person', () => {
  test('an acceptance is two events and the connection [EVENT-21] [CREQ-04]', async () => {
    const fresh = await openShopService(two, shop.company, shop.portal, [{ slug: 'mail', type: 'email' }])
    const person = await newShopper(two)
    const { request_id } = await demand(invite(person, {}, fresh.data), 201)
    await waitForRequest(person)
    const decisions = await decideOn(fresh, person, [{ slug: 'mail', text: 'mara@home.example' }])
    const accepted = await demand(person.call('POST', `${INBOX}/${String(request_id)}/accept`, { decisions }), 201)
    const about = {
      id: expect.any(String),
      person_user_id: person.user.userId,
      share_code: person.user.shareCode,
      at: expect.any(String),
      connection_id: accepted['id'],
      service_id: fresh.service.serviceId,
    }
    expect(await drainFeed(fresh)).toEqual([
      { ...about, event: 'connection_request_accepted', request_id },
      { ...about, event: 'connection_created', customer_type: 'person' },
    ])
    expect(keyOf(await invite(person, {}, fresh.data))).toBe('company_data.already_connected')
    const again = await person.call('POST', `${INBOX}/${String(request_id)}/accept`, { decisions })
    expect(again.status).toBeGreaterThanOrEqual(400)
  })

  test('a rejection is an event, and a pause of 30 days [EVENT-22] [CREQ-04]', async () => {
    const fresh = await openShopService(two, shop.company, shop.portal)
    const person = await newShopper(two)
    const { request_id } = await demand(invite(person, {}, fresh.data), 201)
    await waitForRequest(person)
    await demand(person.call('POST', `${INBOX}/${String(request_id)}/reject`))
    expect(await drainEvents(fresh, 1)).toEqual([
      {
        id: expect.any(String),
        event: 'connection_request_rejected',
        request_id,
        person_user_id: person.user.userId,
        share_code: person.user.shareCode,
        at: expect.any(String),
        connection_id: null,
        service_id: fresh.service.serviceId,
      },
    ])
    const paused = await invite(person, {}, fresh.data)
    expect([paused.status, keyOf(paused)]).toEqual([409, 'company_data.connect_request_paused'])
    const retryAt = Date.parse(String(paused.body['retry_at']))
    expect(Math.abs(retryAt - two.clock.now() - 30 * DAY_MS)).toBeLessThan(60_000)
    // The person may still connect without a request, and another service may ask.
    expect((await invite(person, {}, shop.data)).status).toBe(201)
    await connectTo(fresh, person)
  })

  test('connecting without the request closes it', async () => {
    const fresh = await openShopService(two, shop.company, shop.portal)
    const person = await newShopper(two)
    await demand(invite(person, {}, fresh.data), 201)
    await waitForRequest(person)
    await connectTo(fresh, person)
    await waitUntil('the request is gone', 20_000, async () => {
      const { connect_requests } = await demand(person.call('GET', INBOX))
      return (connect_requests as unknown[]).length === 0
    })
    expect((await drainFeed(fresh)).map(({ event }) => event)).toEqual(['connection_created'])
  })

  test('a request without an answer lapses after 30 days without an event, and the person may be asked again', async () => {
    const fresh = await openShopService(two, shop.company, shop.portal)
    const person = await newShopper(two)
    const first = await demand(invite(person, {}, fresh.data), 201)
    await passDays(two, 30 * DAY_MS + 1000)
    const data = await clientCalls(two, fresh.client.clientId, fresh.client.clientSecret)
    expect(await drainFeed({ ...fresh, data })).toEqual([])
    const second = await invite(person, {}, data)
    expect(second.status).toBe(201)
    expect(second.body['request_id']).not.toBe(first['request_id'])
  })
})
