import { bodyOf, keyOf, openWorld, type Person, scaled } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

const DAY_MS = 86_400_000
const PATH = '/api/company-data/connect-requests'
const INBOX = '/api/customer/connect-requests'
const IN_TIME = { timeout: scaled(20_000) }

const world = await openWorld()
const service = await world.service([{ slug: 'mail', type: 'email' }])
const { company } = service

async function invite(person: Person, body: object = {}, by = service) {
  return by.data('POST', PATH, { body: { share_code: person.shareCode, ...body } })
}

async function waitForRequest(person: Person): Promise<Record<string, unknown>> {
  await expect.poll(() => person.connectRequests(), IN_TIME).toHaveLength(1)
  return (await person.connectRequests())[0] ?? {}
}

describe('POST /api/company-data/connect-requests', () => {
  test('invites a person by share code; an open request is answered again [CREQ-01]', async () => {
    const person = await world.person()
    const sent = await invite(person, { message: 'Please connect' })
    expect([sent.status, sent.body]).toEqual([201, { request_id: expect.any(String), status: 'pending' }])
    const again = await invite(person, { share_code: ` ${person.shareCode.toLowerCase()} ` })
    expect([again.status, again.body]).toEqual([200, sent.body])
    const crossing = await world.person()
    const both = await Promise.all([invite(crossing), invite(crossing)])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]))
    expect(both[0]?.body['request_id']).toBe(both[1]?.body['request_id'])
  })

  test('shows the person the company, the service and the message, and no value or key [CREQ-02]', async () => {
    const person = await world.person()
    expect((await person.put('email', 'mara@home.example')).status).toBe(200)
    const sent = await bodyOf(invite(person, { message: 'For your order', value: 'x', public_key: 'y' }), 201)
    expect(Object.keys(sent).toSorted()).toEqual(['request_id', 'status'])
    const received = await waitForRequest(person)
    expect(received).toMatchObject({
      message: 'For your order',
      company: { share_code: company.shareCode },
      service: { service_id: service.serviceId },
    })
    const text = JSON.stringify(received)
    for (const secret of [service.publicKey, person.keys.publicKey, '"x"', '_enc']) {
      expect(text).not.toContain(secret)
    }
  })

  test('a repeated Idempotency-Key gets the stored answer', async () => {
    const { shareCode: share_code } = await world.person()
    const first = await service.data('POST', PATH, { body: { share_code }, key: 'once' })
    const second = await service.data('POST', PATH, { body: { share_code }, key: 'once' })
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('refuses companies, the caller itself included [CREQ-03]', async () => {
    const other = await world.company({ region: 'us' })
    for (const share_code of [other.shareCode, company.shareCode]) {
      const answer = await service.data('POST', PATH, { body: { share_code } })
      expect([answer.status, keyOf(answer)]).toEqual([400, 'company_connections.persons_only'])
    }
  })

  test('refuses an unknown code, a connected person and an invalid body', async () => {
    const unknown = await service.data('POST', PATH, { body: { share_code: 'ZZZZZZ' } })
    expect([unknown.status, keyOf(unknown)]).toEqual([404, 'company_data.share_code_not_found'])
    const { person } = await world.customer(service)
    expect(keyOf(await invite(person))).toBe('company_data.already_connected')
    const bad = [{}, { share_code: '' }, { share_code: 5 }]
    for (const body of bad) expect(keyOf(await service.data('POST', PATH, { body }))).toBe('request.invalid')
    const other = await world.person()
    for (const message of ['a\nb', 'a\u0000b', '\u202eevil', 'x'.repeat(201)]) {
      expect(keyOf(await invite(other, { message }))).toBe('request.invalid')
    }
    expect((await invite(other, { message: 'é'.repeat(200) })).status).toBe(201)
  })

  test('requires level basic', async () => {
    const poor = await world.service()
    await poor.company.setLevel('free')
    const answer = await invite(await world.person(), {}, poor)
    expect([answer.status, keyOf(answer), answer.body['required_level']]).toEqual([
      403,
      'account.level_required',
      'basic',
    ])
  })
})

describe('the answer of a person', () => {
  test('an acceptance is two events and the connection [EVENT-21] [CREQ-04]', async () => {
    const fresh = await world.service([{ slug: 'mail', type: 'email' }], { company })
    const person = await world.person()
    const { request_id } = await bodyOf(invite(person, {}, fresh), 201)
    await waitForRequest(person)
    const body = { decisions: await person.decide(fresh, [{ slug: 'mail', text: 'mara@home.example' }]) }
    const accept = () => person.calls('POST', `${INBOX}/${String(request_id)}/accept`, { body })
    const accepted = await bodyOf(accept(), 201)
    const about = {
      id: expect.any(String),
      person_user_id: person.userId,
      share_code: person.shareCode,
      at: expect.any(String),
      connection_id: accepted['id'],
      service_id: fresh.serviceId,
      customer_type: 'person',
    }
    expect(await fresh.drain()).toEqual([
      { ...about, event: 'connection_request_accepted', request_id },
      { ...about, event: 'connection_created' },
    ])
    expect(keyOf(await invite(person, {}, fresh))).toBe('company_data.already_connected')
    expect((await accept()).status).toBeGreaterThanOrEqual(400)
  })

  test('a rejection is an event, and a pause of 30 days [EVENT-22] [CREQ-04]', async () => {
    const fresh = await world.service([], { company })
    const person = await world.person()
    const { request_id } = await bodyOf(invite(person, {}, fresh), 201)
    await waitForRequest(person)
    expect((await person.calls('POST', `${INBOX}/${String(request_id)}/reject`)).status).toBe(200)
    expect(await fresh.events(1)).toEqual([
      {
        id: expect.any(String),
        event: 'connection_request_rejected',
        request_id,
        person_user_id: person.userId,
        share_code: person.shareCode,
        at: expect.any(String),
        connection_id: null,
        service_id: fresh.serviceId,
        customer_type: 'person',
      },
    ])
    const paused = await invite(person, {}, fresh)
    expect([paused.status, keyOf(paused)]).toEqual([409, 'company_data.connect_request_paused'])
    const retryAt = Date.parse(String(paused.body['retry_at']))
    expect(Math.abs(retryAt - world.clock.now() - 30 * DAY_MS)).toBeLessThan(60_000)
    // The person may still connect without a request, and another service may ask.
    expect((await invite(person)).status).toBe(201)
    await person.connected(fresh)
  })

  test('connecting without the request closes it', async () => {
    const fresh = await world.service([], { company })
    const person = await world.person()
    expect(await invite(person, {}, fresh)).toMatchObject({ status: 201 })
    await waitForRequest(person)
    await person.connected(fresh)
    await expect.poll(() => person.connectRequests(), IN_TIME).toEqual([])
    expect((await fresh.drain()).map(({ event }) => event)).toEqual(['connection_created'])
  })

  test('a request without an answer lapses after 30 days without an event, and the person may be asked again', async () => {
    const fresh = await world.service([], { company })
    const person = await world.person()
    const first = await bodyOf(invite(person, {}, fresh), 201)
    await world.passDays(30 * DAY_MS + 1000)
    expect(await fresh.drain()).toEqual([])
    const second = await bodyOf(invite(person, {}, fresh), 201)
    expect(second['request_id']).not.toBe(first['request_id'])
  })
})
