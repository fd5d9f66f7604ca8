import { bodyOf, keyOf, listOf, openWorld, scaled, waitUntil } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { turnSwitches } from '../../access/index.ts'

const CONNECTIONS = '/api/company-connections'
const CONNECT_REQUESTS = '/api/customer/connect-requests'
const CHANGES = '/api/customer/changes'

const world = await openWorld({ own: true })
const service = await world.service([
  { slug: 'vat' },
  { slug: 'birthday', type: 'date', audience: 'person', mandatory: true },
])
const company = await world.company({ region: 'us' })
expect(await company.put('vat_number', 'NL1')).toMatchObject({ status: 200 })
const client = await company.accountClient(['customer_connections'])
const decisions = await company.decide(service, [{ slug: 'vat', kind: 'linked', source: 'vat_number', text: 'NL1' }])
const connected = await client.calls('POST', CONNECTIONS, { body: { code: service.code, decisions } })
const id = String(connected.body['id'])

async function news(count: number): Promise<readonly Record<string, unknown>[]> {
  const events: Record<string, unknown>[] = []
  await waitUntil(`${count} events came`, 15_000, async () => {
    events.push(...listOf((await bodyOf(company.calls('GET', CHANGES)))['changes']))
    return events.length >= count
  })
  return events
}

describe('a company as customer', () => {
  test('connects through its account client and has customer_type company [CONN-19] [CONN-03]', async () => {
    expect(connected).toMatchObject({
      status: 201,
      body: { customer_type: 'company', services: [{ pending_consent: [] }] },
    })
    expect(await company.connections()).toEqual([expect.objectContaining({ id })])
    expect(await service.read(id)).toMatchObject({
      customer_type: 'company',
      user_id: company.userId,
      share_code: company.shareCode,
      values_private: { vat: false },
    })
    expect(await service.value(id, 'vat')).toBe('NL1')
    const [company_share_code, service_share_code] = service.code.split('/')
    expect(await news(1)).toEqual([
      expect.objectContaining({
        event: 'connection_created',
        connection_id: id,
        company_share_code,
        service_share_code,
      }),
    ])
  })

  test('must send a sealed share with an edit of a plain value', async () => {
    const missing = await company.put('vat_number', 'NL2')
    expect([missing.status, keyOf(missing)]).toEqual([400, 'contact_data.shares_incomplete'])
    const sent = await company.put('vat_number', 'NL2', [{ service, connectionId: id, slug: 'vat' }])
    expect(sent.status).toBe(200)
    await service.waitForValue(id, 'vat', 'NL2')
  })

  test('gets one event for new request rows and one for a new card', async () => {
    await service.publish([{ slug: 'vat' }, { slug: 'contact' }, { slug: 'note', audience: 'person' }])
    expect(await news(1)).toEqual([
      expect.objectContaining({ event: 'consent_requested', connection_id: id, consent_id: id }),
    ])
    const path = `${service.path}/share-fields`
    const { config_token } = await bodyOf(service.portal('GET', path))
    expect(await service.company.put('company_name', 'North')).toMatchObject({ status: 200 })
    const fields = [{ field_id: service.company.field('company_name') }]
    expect(await service.portal('PUT', path, { body: { config_token, fields } })).toMatchObject({ status: 200 })
    expect(await news(1)).toEqual([expect.objectContaining({ event: 'share_changed', connection_id: id })])
    expect(await company.connection(id)).toMatchObject({
      shared: [{ slug: 'company_name', value: 'North' }],
      company_profile: [{ slug: 'company_name', value: 'North' }],
      pending_consent: ['contact'],
    })
  })

  test('is refused by a service for persons [CONN-18]', async () => {
    const persons = await world.service([], { company: service.company, audience: 'person' })
    const refused = await company.connect(persons)
    expect([refused.status, keyOf(refused)]).toEqual([403, 'company_connections.persons_only'])
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/019a0000-0000-7000-8000-000000000000/accept'],
      ['POST', '/019a0000-0000-7000-8000-000000000000/reject'],
    ] as const) {
      const sent = method === 'POST' ? { body: { decisions: [] } } : {}
      const answer = await company.calls(method, `${CONNECT_REQUESTS}${path}`, sent)
      expect([answer.status, keyOf(answer)]).toEqual([403, 'company_connections.persons_only'])
    }
  })

  test('can connect to a service of its own region, through the bus', async () => {
    const near = await world.service([{ slug: 'vat' }], { company: await world.company({ region: 'us' }) })
    const own = await company.connected(near, [{ slug: 'vat', text: 'NL3' }])
    expect(await near.value(own, 'vat')).toBe('NL3')
    expect((await company.disconnect(own)).status).toBe(204)
    expect(await near.read(own)).toBeNull()
  })

  test('gets the end as an event; its feed answers 503 while writes are paused or the platform is out of order [FEED-13]', async () => {
    await news(2)
    expect(await service.data('DELETE', `/api/company-data/connections/${id}`)).toMatchObject({ status: 204 })
    const status = async () => (await company.calls('GET', `${CONNECTIONS}/${id}`)).status
    await expect.poll(status, { timeout: scaled(20_000) }).toBe(404)
    for (const [switches, key] of [
      [{ writesPaused: true, outOfOrder: false }, 'db.writes_paused'],
      [{ writesPaused: false, outOfOrder: true }, 'platform.out_of_order'],
    ] as const) {
      await turnSwitches(world.us.platform, switches)
      const refused = await company.calls('GET', CHANGES)
      expect([refused.status, keyOf(refused)]).toEqual([503, key])
    }
    await turnSwitches(world.us.platform, { writesPaused: false, outOfOrder: false })
    expect(await news(1)).toEqual([expect.objectContaining({ event: 'connection_deleted', connection_id: id })])
    expect((await company.calls('GET', CHANGES)).body).toEqual({ changes: [], has_more: false })
  })
})

test('an account client without the capability is refused', async () => {
  const { calls } = await company.accountClient(['company_profile_fields'])
  const answer = await calls('GET', CONNECTIONS)
  expect([answer.status, keyOf(answer)]).toEqual([403, 'auth.client_endpoint_forbidden'])
})
