import { keyOf, openWorld, serviceBody } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'

/** A PNG of one pixel. */
const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const EVERYTHING = [
  'service_management',
  'company_profile_fields',
  'customer_connections',
  'oauth_apps',
  'delegate_management',
]

const world = await openWorld()
const { northwind, mara } = await world.personas('northwind', 'mara')
const { calls: account } = await northwind.accountClient(EVERYTHING)

describe('an account client with every capability', () => {
  test('manages services, profile, fields, photos, delegates and sign-in apps of its company [ACCT-01]', async () => {
    const key = await serviceBody()
    const service = await account('POST', '/api/services', { body: key })
    expect(service.status).toBe(201)
    const path = `/api/services/${String(service.body['id'])}`
    const { body: rows } = await account('GET', `${path}/request-fields`)
    const row = { slug: 'email', label: 'E-mail', type: 'email' }
    const publication = { config_token: rows['config_token'], request_fields: [row] }
    expect((await account('PUT', `${path}/request-fields`, { body: publication })).status).toBe(200)
    const profile = { display_name: 'Northwind Clinic AG' }
    expect((await account('PUT', '/api/profile', { body: profile })).body).toMatchObject(profile)
    const field = await account('POST', '/api/contact-fields', {
      body: { label: 'Opening hours', type: 'text', usertype: 'company' },
    })
    expect(field.status).toBe(201)
    const value = { value: '9 to 5' }
    expect((await account('PUT', `/api/contact-data/${String(field.body['id'])}`, { body: value })).status).toBe(200)
    expect((await account('POST', '/api/photos', { body: { file: PHOTO } })).status).toBe(201)
    const delegate = { share_code: mara.shareCode, role: 'operator', services: [service.body['id']] }
    const added = await account('POST', '/api/delegates', { body: delegate })
    expect(added.status).toBe(201)
    expect((await account('DELETE', `/api/delegates/${String(added.body['id'])}`)).status).toBe(204)
    const { public_key, encrypted_private_key } = key
    const app = { name: 'An app', redirect_uris: ['https://northwind.example/back'], public_key, encrypted_private_key }
    expect((await account('POST', '/api/account/oauth-apps', { body: app })).status).toBe(201)
    expect((await account('DELETE', path)).status).toBe(204)
    expect((await northwind.portal('GET', '/api/profile')).body).toMatchObject(profile)
  })

  test('reaches nothing of the data API, where its company’s data client does [ACCT-01]', async () => {
    for (const resource of ['whoami', 'connections', 'changes', 'request-fields', 'logs']) {
      const path = `/api/company-data/${resource}`
      const reply = await account('GET', path)
      expect([path, reply.status, keyOf(reply)]).toEqual([path, 403, 'auth.client_endpoint_forbidden'])
      expect([path, (await northwind.data('GET', path)).status]).toEqual([path, 200])
    }
  })

  test('reaches neither plugins, nor clients, nor the account key [ACCT-01]', async () => {
    for (const path of ['/api/account/plugins', '/api/account/clients', '/api/account-key']) {
      const reply = await account('GET', path)
      expect([path, reply.status >= 400 && reply.status < 500]).toEqual([path, true])
    }
  })
})
