import { addPlugin, bodyOf, describedPlugin, keyOf, openForwarderBus, openWorld } from '@sealpost/testkit'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'

const APPS = '/api/account/oauth-apps'
const PASS = '/api/oauth/plugin-pass'

const world = await openWorld()
const forwarder = openForwarderBus(world)
const { company, publicKey: public_key, encryptedPrivateKey: encrypted_private_key } = await world.service()
const plugin = await describedPlugin(forwarder, company)
const claim = { name: 'land', type: 'plugin', plugin: { plugin_id: plugin.pluginId, field_type: 'country' } }
const wanted = { name: 'Booking', redirect_uris: ['https://booking.example/cb'], public_key, encrypted_private_key }

const create = (claims: readonly object[]) => company.portal('POST', APPS, { body: { ...wanted, claims } })

const inUse = async (): Promise<unknown> => {
  const { items } = await bodyOf(company.portal('GET', '/api/account/plugins'))
  return (items as { id: string; in_use: unknown }[]).find(({ id }) => id === plugin.pluginId)?.in_use
}

describe('a claim that a plugin answers', () => {
  test('has the description of the plugin, and keeps it in use until the app is deleted [FTYPE-43] [PLUGIN-12]', async () => {
    const made = await bodyOf(create([{ name: 'mail', type: 'email' }, claim]), 201)
    const id = String(made['client_id'])
    const [mail, land] = made['claims'] as object[]
    expect(mail).not.toHaveProperty('plugin')
    expect(land).toMatchObject({
      name: 'land',
      type: 'plugin',
      plugin: { ...claim.plugin, plugin_name: 'Rates', snapshot: { plugin_name: 'Rates', label: 'Country' } },
    })
    expect((await bodyOf(company.portal('GET', `${APPS}/${id}`)))['claims']).toEqual(made['claims'])
    expect(await inUse()).toEqual([{ kind: 'claim', id, name: 'land' }])
    expect(keyOf(await company.portal('DELETE', `/api/account/plugins/${plugin.pluginId}`))).toBe('plugins.in_use')
    const renamed = { body: { claims: [{ ...claim, name: 'country' }] } }
    await bodyOf(company.portal('PUT', `${APPS}/${id}`, renamed))
    expect(await inUse()).toEqual([{ kind: 'claim', id, name: 'country' }])
    await bodyOf(company.portal('PUT', `${APPS}/${id}`, { body: { claims: [] } }))
    expect(await inUse()).toEqual([])
    await bodyOf(company.portal('PUT', `${APPS}/${id}`, { body: { claims: [claim] } }))
    await bodyOf(company.portal('DELETE', `${APPS}/${id}`), 204)
    expect(await inUse()).toEqual([])
  })

  test('is refused with another company’s plugin, without a description, and with a required input [ACCT-04]', async () => {
    const theirs = await describedPlugin(forwarder, await world.company())
    const silent = await addPlugin(company)
    const refusals = [
      [{ plugin_id: theirs.pluginId, field_type: 'country' }, 'does not have'],
      [{ plugin_id: silent, field_type: 'country' }, 'description'],
      [{ plugin_id: plugin.pluginId, field_type: 'rate' }, 'requires the input amount'],
      [{ plugin_id: plugin.pluginId, field_type: 'none' }, 'field type'],
      [null, 'has no plugin'],
    ] as const
    for (const [given, reason] of refusals) {
      const refused = await create([{ ...claim, plugin: given }])
      expect([refused.status, keyOf(refused)]).toEqual([400, 'oauth_apps.claim_config_plugin_invalid'])
      expect(refused.body['error']).toContain(reason)
    }
  })
})

describe('POST /api/oauth/plugin-pass', () => {
  test('answers a pass to a person of another region', async () => {
    const { client_id } = await bodyOf(create([{ name: 'mail', type: 'email' }, claim]), 201)
    const person = await world.person({ region: 'us' })
    const body = await bodyOf(person.calls('POST', PASS, { body: { client_id, name: 'land' } }))
    expect(body).toEqual({
      pass: expect.any(String),
      forwarder_url: 'https://forwarder.sealpost.example',
      plugins: [{ id: plugin.pluginId, public_key: plugin.description.public_key, key_rollovers: [] }],
      specs: {
        land: { ...claim.plugin, snapshot: expect.objectContaining({ plugin_name: 'Rates' }), inputs: {} },
      },
    })
    expect(decodeJwt(String(body['pass']))).toMatchObject({
      kind: 'claim',
      cid: company.companyId,
      pid: [plugin.pluginId],
      rgn: 'eu',
    })
    for (const asked of [
      { client_id, name: 'mail' },
      { client_id, name: 'nothing' },
      { client_id: 'idw_000000000000000000000000', name: 'land' },
      { client_id: 'unknown', name: 'land' },
    ]) {
      const refused = await person.calls('POST', PASS, { body: asked })
      expect([refused.status, keyOf(refused)]).toEqual([404, 'plugin.not_found'])
    }
    expect(keyOf(await person.calls('POST', PASS, { body: { client_id } }))).toBe('request.invalid')
    expect(keyOf(await world.anonymous('POST', PASS, { body: { client_id, name: 'land' } }))).toBe('auth.token_missing')
  })
})
