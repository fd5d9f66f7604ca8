import { addPlugin, bodyOf, describedPlugin, keyOf, openForwarderBus, openWorld } from '@sealpost/testkit'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'

const CONNECTIONS = '/api/company-connections'
const OFFER = `${CONNECTIONS}/lookup/plugin-pass`

const world = await openWorld()
const forwarder = openForwarderBus(world)
const service = await world.service([{ slug: 'name' }])
const { company } = service
const stranger = await world.company()
const plugin = await describedPlugin(forwarder, company)
const chosen = { plugin_id: plugin.pluginId, field_type: 'country' }
const row = { slug: 'land', type: 'plugin', one_time: true, plugin: chosen }
await service.publish([{ slug: 'name' }, row])

const ROWS = `${service.path}/request-fields`
const inUse = async (): Promise<unknown> => {
  const { items } = await bodyOf(company.portal('GET', '/api/account/plugins'))
  return (items as { id: string; in_use: unknown }[]).find(({ id }) => id === plugin.pluginId)?.in_use
}

const shown = {
  ...chosen,
  plugin_name: 'Rates',
  snapshot: expect.objectContaining({ plugin_name: 'Rates', label: 'Country', outputs: [expect.anything()] }),
}

describe('a request field that a plugin answers', () => {
  test('shows its plugin to the company and to customers; others show null [REQF-05] [FTYPE-43]', async () => {
    const rows = await bodyOf(company.portal('GET', ROWS))
    expect(rows['request_fields']).toMatchObject([
      { slug: 'name', plugin: null },
      { slug: 'land', type: 'plugin', one_time: true, audience: 'person', plugin: shown },
    ])
    const own = await bodyOf(service.data('GET', '/api/company-data/request-fields'))
    expect(own['request_fields']).toMatchObject([{ plugin: null }, { plugin: shown }])
    const person = await world.person()
    const offer = await bodyOf(person.calls('GET', `${CONNECTIONS}/lookup/${service.code}`))
    expect(offer['request_fields']).toMatchObject([
      { slug: 'name', plugin: null },
      { slug: 'land', plugin: shown },
    ])
  })

  test('is published again as it was read, and then nothing changes', async () => {
    const before = await bodyOf(company.portal('GET', ROWS))
    expect(await bodyOf(company.portal('PUT', ROWS, { body: before }))).toEqual(before)
    expect(await bodyOf(company.portal('GET', ROWS))).toEqual(before)
  })

  test('is answered once, with a text that describes itself', async () => {
    const person = await world.person()
    const text = JSON.stringify({ plugin: 'Rates', type: 'country', blocks: [], outputs: [] })
    const connectionId = await person.connected(service, [{ slug: 'land', kind: 'one_time', text }])
    expect(await service.value(connectionId, 'land')).toBe(text)
  })

  test('is named in in_use, and frees the plugin when it is removed [PLUGIN-12]', async () => {
    const own = await world.service([], { company })
    await own.publish([row])
    const uses = [
      { kind: 'request_field', id: service.row('land'), name: expect.any(String) },
      { kind: 'request_field', id: own.row('land'), name: expect.any(String) },
    ]
    expect(await inUse()).toEqual(expect.arrayContaining(uses))
    const refused = await company.portal('DELETE', `/api/account/plugins/${plugin.pluginId}`)
    expect([refused.status, keyOf(refused)]).toEqual([409, 'plugins.in_use'])
    expect(refused.body['in_use']).toEqual(expect.arrayContaining(uses))
    await own.publish([])
    expect(await inUse()).toEqual([uses[0]])
  })

  test.each([
    ['of another company', () => describedPlugin(forwarder, stranger), 'does not have'],
    ['without a description', async () => ({ pluginId: await addPlugin(company) }), 'description'],
  ])('is refused with a plugin %s [REQF-07]', async (_, make, reason) => {
    const { pluginId } = await make()
    const refused = await publish({ ...row, slug: 'x', plugin: { plugin_id: pluginId, field_type: 'country' } })
    expect([refused.status, keyOf(refused)]).toEqual([400, 'services.request_field_plugin_invalid'])
    expect(refused.body['error']).toContain(reason)
  })

  test('is refused with a field type that requires an input, and with an unknown one [REQF-07]', async () => {
    for (const [field_type, reason] of [
      ['rate', 'requires the input amount'],
      ['none', 'field type'],
    ] as const) {
      const refused = await publish({ ...row, slug: 'x', plugin: { ...chosen, field_type } })
      expect([refused.status, keyOf(refused)]).toEqual([400, 'services.request_field_plugin_invalid'])
      expect(refused.body['error']).toContain(reason)
    }
  })
})

async function publish(more: object) {
  const { config_token, request_fields } = await bodyOf(company.portal('GET', ROWS))
  const rows = [...(request_fields as object[]), { label: 'X', ...more }]
  return company.portal('PUT', ROWS, { body: { config_token, request_fields: rows } })
}

describe('a pass for a request field', () => {
  const passed = {
    pass: expect.any(String),
    forwarder_url: 'https://forwarder.sealpost.example',
    plugins: [{ id: plugin.pluginId, public_key: plugin.description.public_key, key_rollovers: [] }],
    specs: { land: { ...chosen, snapshot: shown.snapshot, inputs: {} } },
  }
  const claims = { kind: 'field', cid: company.companyId, pid: [plugin.pluginId], rgn: 'eu' }

  test('is made before connecting, for a person of another region', async () => {
    const person = await world.person({ region: 'us' })
    const body = await bodyOf(person.calls('POST', OFFER, { body: { code: service.code, slug: 'land' } }))
    expect(body).toEqual(passed)
    expect(decodeJwt(String(body['pass']))).toMatchObject(claims)
  })

  test('is made for a connection', async () => {
    const { person, connectionId } = await world.customer(service, [])
    const path = `${CONNECTIONS}/${connectionId}/plugin-pass`
    const body = await bodyOf(person.calls('POST', path, { body: { slug: 'land' } }))
    expect(body).toEqual(passed)
    expect(decodeJwt(String(body['pass']))).toMatchObject(claims)
    const other = await world.person()
    const foreign = await other.calls('POST', path, { body: { slug: 'land' } })
    expect([foreign.status, keyOf(foreign)]).toEqual([404, 'company_data.connection_not_found'])
    expect(keyOf(await person.calls('POST', path, { body: {} }))).toBe('request.invalid')
    expect(keyOf(await world.anonymous('POST', path, { body: { slug: 'land' } }))).toBe('auth.token_missing')
  })

  test('is refused for fields without a plugin, and to companies, which are not asked', async () => {
    const person = await world.person()
    for (const slug of ['name', 'nothing']) {
      const refused = await person.calls('POST', OFFER, { body: { code: service.code, slug } })
      expect([refused.status, keyOf(refused)]).toEqual([404, 'plugin.not_found'])
    }
    const refused = await stranger.calls('POST', OFFER, { body: { code: service.code, slug: 'land' } })
    expect([refused.status, keyOf(refused)]).toEqual([404, 'plugin.not_found'])
    const unknown = await person.calls('POST', OFFER, { body: { code: `${company.shareCode}/NONE`, slug: 'land' } })
    expect([unknown.status, keyOf(unknown)]).toEqual([404, 'services.not_found'])
  })
})
