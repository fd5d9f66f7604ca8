import {
  demand,
  type Desk,
  harborline,
  keyOf,
  listOf,
  openCustomer,
  openAccountClient,
  openDesk,
  startWithoutLimits,
  type TestCustomer,
  type TwoRegions,
  collectEvents,
} from '@sealpost/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { turnSwitches } from '../../access/index.ts'

let two: TwoRegions
let company: TestCustomer
let desk: Desk
let id: string

beforeAll(async () => {
  two = await startWithoutLimits()
  company = await openCustomer(two, 'company', 'us')
  await demand(company.put('vat_number', 'NL1'), 200)
  desk = await openDesk(two, [{ slug: 'vat' }, { slug: 'birthday', type: 'date', audience: 'person', mandatory: true }])
})
afterAll(() => two.close())

function news(count: number): Promise<readonly Record<string, unknown>[]> {
  const drain = async () => listOf((await demand(company.calls('GET', '/api/customer/changes')))['changes'])
  return collectEvents(drain, count)
}

describe('a company as customer', () => {
  test('connects through its account client and has customer_type company [CONN-19] [CONN-03]', async () => {
    const client = await openAccountClient(two, company.owner, ['customer_connections'])
    const body = { code: desk.code, decisions: [await company.linked(desk, 'vat', 'vat_number', 'NL1')] }
    const answer = await fetch(`${client.apiUrl}/api/company-connections`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    const record: unknown = await answer.json()
    expect(record).toMatchObject({ customer_type: 'company', services: [{ pending_consent: [] }] })
    const { body: listed } = await company.calls('GET', '/api/company-connections')
    id = String(listOf(listed['connections'])[0]?.['id'])
    expect(await desk.read(id)).toMatchObject({
      customer_type: 'company',
      user_id: company.owner.user.userId,
      share_code: company.owner.user.shareCode,
      values_private: { vat: false },
    })
    expect(await desk.value(id, 'vat')).toBe('NL1')
    expect(await news(1)).toEqual([
      expect.objectContaining({
        event: 'connection_created',
        connection_id: id,
        company_share_code: desk.code.split('/')[0],
        service_share_code: desk.code.split('/')[1],
      }),
    ])
  })

  test('must send a sealed share with an edit of a plain value', async () => {
    const missing = await company.put('vat_number', 'NL2')
    expect([missing.status, keyOf(missing)]).toEqual([400, 'contact_data.shares_incomplete'])
    await demand(company.put('vat_number', 'NL2', [{ desk, connectionId: id, slug: 'vat' }]), 200)
    await desk.waitForValue(id, 'vat', 'NL2')
  })

  test('gets one event for new request rows and one for a new card', async () => {
    await desk.publish([{ slug: 'vat' }, { slug: 'contact' }, { slug: 'note', audience: 'person' }])
    expect(await news(1)).toEqual([
      expect.objectContaining({ event: 'consent_requested', connection_id: id, consent_id: id }),
    ])
    const at = `/api/services/${desk.serviceId}`
    const known = await demand(desk.portal('GET', `${at}/share-fields`), 200)
    const { body } = await desk.portal('GET', '/api/contact-fields?usertype=company')
    const website = listOf(body['items']).find(({ slug }) => slug === 'company_name')
    await demand(desk.portal('PUT', `/api/contact-data/${String(website?.['id'])}`, { body: { value: 'North' } }), 200)
    const fields = [{ field_id: website?.['id'] }]
    await demand(
      desk.portal('PUT', `${at}/share-fields`, { body: { config_token: known['config_token'], fields } }),
      200,
    )
    expect(await news(1)).toEqual([expect.objectContaining({ event: 'share_changed', connection_id: id })])
    expect(await company.read(id)).toMatchObject({
      shared: [{ slug: 'company_name', value: 'North' }],
      company_profile: [{ slug: 'company_name', value: 'North' }],
      pending_consent: ['contact'],
    })
  })

  test('is refused by a service for persons [CONN-18]', async () => {
    const persons = await openDesk(two, [], { audience: 'person' })
    const refused = await company.connect(persons, [])
    expect([refused.status, keyOf(refused)]).toEqual([403, 'company_connections.persons_only'])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/019a0000-0000-7000-8000-000000000000/accept'],
      ['POST', '/019a0000-0000-7000-8000-000000000000/reject'],
    ] as const) {
      const sent = method === 'POST' ? { body: { decisions: [] } } : {}
      const answer = await company.calls(method, `/api/customer/connect-requests${path}`, sent)
      expect([answer.status, keyOf(answer)]).toEqual([403, 'company_connections.persons_only'])
    }
  })

  test('can connect to a service of its own region, through the bus', async () => {
    const near = await openDesk(two, [{ slug: 'vat' }], { company: harborline })
    const own = await company.connected(near, [await company.typed(near, 'vat', 'NL3')])
    expect(await near.value(own, 'vat')).toBe('NL3')
    await demand(company.calls('DELETE', `/api/company-connections/${own}`), 204)
    expect(await near.read(own)).toBeNull()
  })

  test('gets the end as an event; its feed answers 503 while writes are paused or the platform is out of order [FEED-13]', async () => {
    await news(2)
    await demand(desk.data('DELETE', `/api/company-data/connections/${id}`), 204)
    const at = async () => (await company.calls('GET', `/api/company-connections/${id}`)).status
    await expect.poll(at, { timeout: 20_000 }).toBe(404)
    for (const [switches, key] of [
      [{ writesPaused: true, outOfOrder: false }, 'db.writes_paused'],
      [{ writesPaused: false, outOfOrder: true }, 'platform.out_of_order'],
    ] as const) {
      await turnSwitches(two.us.platform, switches)
      const refused = await company.calls('GET', '/api/customer/changes')
      expect([refused.status, keyOf(refused)]).toEqual([503, key])
    }
    await turnSwitches(two.us.platform, { writesPaused: false, outOfOrder: false })
    expect(await news(1)).toEqual([expect.objectContaining({ event: 'connection_deleted', connection_id: id })])
    const { body } = await company.calls('GET', '/api/customer/changes')
    expect(body).toEqual({ changes: [], has_more: false })
  })
})

test('an account client without the capability is refused', async () => {
  const client = await openAccountClient(two, company.owner, ['company_profile_fields'])
  const answer = await fetch(`${client.apiUrl}/api/company-connections`, {
    headers: { authorization: `Bearer ${client.token}` },
  })
  expect([answer.status, await answer.json()]).toMatchObject([403, { error_key: 'auth.client_endpoint_forbidden' }])
})
