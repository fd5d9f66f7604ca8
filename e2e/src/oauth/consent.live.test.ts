import { openWorld } from '@sealpost/testkit'
import { describe, expect, test } from 'vitest'
import { get, postForm } from '../wire.ts'
import { attempt, exchange, type OAuthClient, REDIRECT } from './relying-party.ts'
import { codeOf, openSignInApps } from './signin-app.ts'

const world = await openWorld()
const apps = await openSignInApps(world)
const { northwind } = await world.personas('northwind')
const fields = [
  { slug: 'name', mandatory: true },
  { slug: 'phone', type: 'phone' },
]

/** A service of the company in eu, with an app of its own. */
async function openShop(level: 'pro' | 'basic' = 'pro') {
  const company = await world.company({ level })
  const service = await world.service(fields, { company })
  const body = {
    name: 'The shop',
    redirect_uris: [REDIRECT],
    service_id: service.serviceId,
    public_key: apps.key.publicKey,
    encrypted_private_key: apps.key.encryptedPrivateKey,
    detached: true,
  }
  const made = await company.portal('POST', '/api/account/oauth-apps', { body })
  const { client_id: clientId, client_secret: clientSecret } = made.body
  const app: OAuthClient = { clientId: String(clientId), clientSecret: String(clientSecret), redirectUri: REDIRECT }
  return { company, service, app, svc: { ...service.client, redirectUri: REDIRECT } }
}

const keyOf = ({ status, body }: { status: number; body: Readonly<Record<string, unknown>> }) => [
  status,
  body['error_key'],
]
const resultOf = ({ clientId, clientSecret }: OAuthClient, state: string) =>
  postForm(`${apps.front}/oauth2/result`, { client_id: clientId, client_secret: clientSecret ?? '', state })

describe('mode connect', () => {
  test('shows who asks for which fields, connects and gives a code', async () => {
    const { service, app, company } = await openShop()
    const person = await world.person()
    const made = attempt(app, { mode: 'connect' })
    const view = await apps.view(made, person.token)
    expect(view.body).toMatchObject({
      mode: 'connect',
      connected: false,
      enrolled: false,
      service: { name: expect.any(String) },
    })
    expect(view.body['offer']).toMatchObject({
      company: { user_id: company.companyId },
      service: { service_id: service.serviceId },
      public_key: service.publicKey,
      request_fields: [{ slug: 'name' }, { slug: 'phone' }],
    })
    expect(keyOf(await apps.decide(made, { decision: 'approve' }, person.token))).toEqual([
      400,
      'oauth.invalid_request',
    ])
    const none = await apps.decide(made, { decision: 'approve', decisions: [] }, person.token)
    expect(none).toMatchObject({
      status: 400,
      body: { error_key: 'company_connections.mandatory_missing', slugs: ['name'] },
    })
    const decisions = await person.decide(service, [{ slug: 'name', text: 'Mara' }])
    const plain = decisions.map((decision) => ({ ...decision, value: 'in the clear' }))
    const open = await apps.decide(made, { decision: 'approve', decisions: plain }, person.token)
    expect(keyOf(open)).toEqual([400, 'contact_data.encryption_required'])
    const code = codeOf(await apps.decide(made, { decision: 'approve', decisions }, person.token))
    expect((await exchange(world, app, made, code)).body).toMatchObject({ mode: 'connect' })
    const [connection] = await person.connections()
    expect(await service.value(String(connection?.['id']), 'name')).toBe('Mara')

    const again = attempt(app, { mode: 'connect' })
    expect((await apps.view(again, person.token)).body).toMatchObject({ connected: true, offer: null })
    expect(codeOf(await apps.decide(again, { decision: 'approve' }, person.token))).toMatch(/^us\./)
    expect(await person.connections()).toHaveLength(1)
  })

  test('works detached, and a refusal connects nothing', async () => {
    const { service, app } = await openShop()
    const person = await world.person()
    const made = attempt(app, { mode: 'connect', response_mode: 'detached' })
    const decisions = await person.decide(service, [{ slug: 'name', text: 'Mara' }])
    expect((await apps.decide(made, { decision: 'approve', decisions }, person.token)).body).toEqual({ done: true })
    expect((await resultOf(app, String(made.query['state']))).body).toMatchObject({
      code: expect.stringMatching(/^us\./),
    })
    const other = await world.person()
    const denied = await apps.decide(attempt(app, { mode: 'connect' }), { decision: 'deny' }, other.token)
    expect(new URL(String(denied.body['redirect_to'])).searchParams.get('error')).toBe('access_denied')
    expect(await other.connections()).toEqual([])
  })

  test('needs an app with a service that persons may connect to', async () => {
    const bare = attempt(await apps.createApp({}), { mode: 'connect' })
    expect(keyOf(await apps.view(bare))).toEqual([400, 'oauth.connect_no_service'])
    expect(keyOf(await apps.decide(bare, { decision: 'approve', decisions: [] }))).toEqual([
      400,
      'oauth.connect_no_service',
    ])
    const { service, app } = await openShop()
    await service.portal('PUT', service.path, { body: { name: 'Wholesale', audience: 'company' } })
    const person = await world.person()
    const made = attempt(app, { mode: 'connect' })
    expect(keyOf(await apps.view(made, person.token))).toEqual([403, 'services.audience_b2b_only'])
    expect(keyOf(await apps.decide(made, { decision: 'approve', decisions: [] }, person.token))).toEqual([
      403,
      'services.audience_b2b_only',
    ])
    const svc = attempt({ ...northwind, redirectUri: REDIRECT }, { mode: 'connect' })
    expect((await apps.view(svc)).status).toBe(400)
  })

  test('needs a second factor where the service requires one', async () => {
    const { service, app } = await openShop()
    await service.portal('PUT', `${service.path}/require-2fa`, { body: { require_2fa: true } })
    const person = await world.person()
    const made = attempt(app, { mode: 'connect' })
    expect((await apps.view(made, person.token)).body).toMatchObject({ app: { require_2fa: true } })
    const decisions = await person.decide(service, [{ slug: 'name', text: 'Mara' }])
    expect(keyOf(await apps.decide(made, { decision: 'approve', decisions }, person.token))).toEqual([
      403,
      'services.second_factor_required',
    ])
    expect(await person.connections()).toEqual([])
  })
})

describe('mode 2fa_enroll', () => {
  test('leads a browser to the consent page with the same query [TWOFA-23]', async () => {
    const { service, svc } = await openShop()
    await service.portal('PUT', `${service.path}/client`, { body: { redirect_uri: REDIRECT } })
    const query = { client_id: svc.clientId, mode: '2fa_enroll', redirect_uri: REDIRECT, state: 'abc' }
    const url = `${apps.front}/oauth2/authorize?${new URLSearchParams(query).toString()}`
    const answer = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
    const target = new URL(answer.headers.get('location') ?? '')
    expect([answer.status, target.pathname]).toEqual([302, '/consent'])
    expect(Object.fromEntries(target.searchParams)).toEqual(query)
  })

  test('connects first, then enrols, and ends without a code [TWOFA-23][TWOFA-25]', async () => {
    const { service, app, svc } = await openShop()
    await service.portal('PUT', `${service.path}/client`, { body: { redirect_uri: REDIRECT } })
    for (const client of [app, svc]) {
      const person = await world.person()
      const made = attempt(client, { mode: '2fa_enroll', scope: 'openid email' })
      expect((await apps.view(made, person.token)).body).toMatchObject({
        mode: '2fa_enroll',
        claims: [],
        connected: false,
        enrolled: false,
        offer: { request_fields: [{ slug: 'name' }, { slug: 'phone' }] },
      })
      expect(keyOf(await apps.decide(made, { decision: 'approve' }, person.token))).toEqual([
        400,
        'oauth.invalid_request',
      ])
      const decisions = await person.decide(service, [{ slug: 'name', text: 'Mara' }])
      const { body } = await apps.decide(made, { decision: 'approve', decisions }, person.token)
      const back = new URL(String(body['redirect_to']))
      expect([...back.searchParams.keys()].toSorted()).toEqual(['enrolled', 'iss', 'state'])
      expect([back.searchParams.get('enrolled'), back.searchParams.get('state')]).toEqual(['true', made.query['state']])
      expect((await apps.view(attempt(client, { mode: '2fa_enroll' }), person.token)).body).toMatchObject({
        connected: true,
        enrolled: true,
      })
      const again = await apps.decide(attempt(client, { mode: '2fa_enroll' }), { decision: 'approve' }, person.token)
      expect(again.body['redirect_to']).toContain('enrolled=true')
    }
  })

  test('detached, its result is given once, also without a redirect URI [TWOFA-24]', async () => {
    const { service, svc } = await openShop()
    const person = await world.person()
    await person.connected(service, [{ slug: 'name', text: 'Mara' }])
    const query = { client_id: svc.clientId, mode: '2fa_enroll', response_mode: 'detached', state: `s-${svc.clientId}` }
    expect((await resultOf(svc, query.state)).status).toBe(202)
    expect((await apps.decide({ query, verifier: '' }, { decision: 'approve' }, person.token)).body).toEqual({
      done: true,
    })
    expect((await resultOf(svc, query.state)).body).toEqual({ enrolled: true, state: query.state })
    expect((await resultOf(svc, query.state)).status).toBe(410)
    const denied = { query: { ...query, state: `${query.state}-2` }, verifier: '' }
    expect((await apps.decide(denied, { decision: 'deny' }, person.token)).body).toEqual({ done: true })
    expect(keyOf(await resultOf(svc, denied.query.state))).toEqual([403, 'oauth.access_denied'])
  })

  test('is refused for an app without a service, and below level pro [TWOFA-29]', async () => {
    const bare = attempt(await apps.createApp({}), { mode: '2fa_enroll' })
    expect(keyOf(await apps.decide(bare, { decision: 'approve' }))).toEqual([400, 'oauth.connect_no_service'])
    const { service, app } = await openShop('basic')
    const person = await world.person()
    await person.connected(service, [{ slug: 'name', text: 'Mara' }])
    expect(
      keyOf(await apps.decide(attempt(app, { mode: '2fa_enroll' }), { decision: 'approve' }, person.token)),
    ).toEqual([403, 'account.level_required'])
    const anonymous = await get(`${apps.front}/oauth2/authorize?${new URLSearchParams(bare.query).toString()}`, {
      accept: 'application/json',
    })
    expect(keyOf(anonymous)).toEqual([401, 'auth.token_missing'])
  })
})
