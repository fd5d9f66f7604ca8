import { AccountClient, memoryPins } from '@sealpost/sdk'
import { APP_ORIGIN, callSession, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { openGuide } from './snippets.ts'

const REDIRECT_URI = 'https://crm.example/back'

const world = await openWorld()
const { northwind, harborline } = await world.personas('northwind', 'harborline')
const portal = new AccountClient({ accessToken: () => Promise.resolve(northwind), pins: memoryPins() })
const guide = await openGuide('docs/guides/authentication.md', world)
const ran = new Set<string>()

async function run(name: string, variables: Readonly<Record<string, string>>): Promise<string> {
  ran.add(name)
  return guide.run(name, { FRONT_DOOR: world.frontDoor.url, APP_ORIGIN, ...variables })
}

const dataClient = { CLIENT_ID: northwind.clientId, CLIENT_SECRET: northwind.clientSecret }
const who = { company_user_id: northwind.companyId, service_id: northwind.serviceId }

test('a token comes with the address of the region', async () => {
  const answer: unknown = JSON.parse(await run('token', dataClient))
  const api = { token_type: 'Bearer', expires_in: 3600, api_url: world.eu.url }
  expect(answer).toMatchObject({ ...api, access_token: expect.any(String) })
})

test('a cached token, with and without the SDK, reads the data of the service', async () => {
  for (const name of ['keeping', 'sdk']) {
    const printed = await run(name, dataClient)
    for (const id of Object.values(who)) expect(printed).toContain(id)
  }
})

test('wrong credentials give an error key', async () => {
  expect(await run('errors', dataClient)).toMatch(/^ask for new credentials [\w-]+$/)
})

test('a portal login creates an account client and changes its capabilities', async () => {
  const printed = await run('capabilities', { PORTAL_TOKEN: northwind.token, API_URL: northwind.apiUrl })
  expect(printed).toMatch(/^acct_\w{24} [\w-]{43}$/m)
  expect(printed).toContain("Nightly export [ 'service_management', 'oauth_apps' ]")
})

test('an account client gives the data client of a service a new secret, which ends the old one', async () => {
  const made = await portal.clients.create({ name: 'Rotation', capabilities: ['service_management'] })
  const credentials = { CLIENT_ID: made.client_id, CLIENT_SECRET: made.client_secret ?? '' }
  const secret = await run('regenerate', { ...credentials, SERVICE_ID: northwind.serviceId })
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(await run('token', dataClient)).toContain('oauth.bad_client')
  expect(await run('token', { ...dataClient, CLIENT_SECRET: secret })).toContain('access_token')
})

test('a user logs in for a client; its code and its refresh token work once each', async () => {
  const made = await portal.clients.create({ name: 'CRM', capabilities: [], redirect_uri: REDIRECT_URI })
  const client = { CLIENT_ID: made.client_id, CLIENT_SECRET: made.client_secret ?? '', REDIRECT_URI }
  const { url, verifier, state } = JSON.parse(await run('authorize', client))
  const back = await signInAt(url)
  expect(back.searchParams.get('state')).toBe(state)
  const exchange = { ...client, CODE: back.searchParams.get('code') ?? '', VERIFIER: verifier }
  const tokens = JSON.parse(await run('exchange', exchange))
  expect(tokens).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
  const renewed = JSON.parse(await run('refresh', { ...client, REFRESH_TOKEN: tokens.refresh_token }))
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
  const again = JSON.parse(await run('refresh', { ...client, REFRESH_TOKEN: tokens.refresh_token }))
  expect(again).toMatchObject({ error_key: 'oauth.invalid_grant' })
})

/** Submits the form of the hosted page. */
async function signInAt(address: string): Promise<URL> {
  const { origin, pathname, searchParams } = new URL(address)
  const form = { email: northwind.email, auth_verifier: northwind.authVerifier }
  const body = new URLSearchParams([...searchParams, ...Object.entries(form)])
  const answer = await fetch(`${origin}${pathname}`, { method: 'POST', body, redirect: 'manual', headers: { origin } })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '')
}

test('an app logs a user in with a password that stays on the device, and renews by cookie', async () => {
  const { email, login } = harborline
  const opened = JSON.parse(await run('login', { EMAIL: email, PASSWORD: login.password }))
  expect(opened).toEqual({ token: expect.any(String), apiUrl: world.us.url })
  expect(await run('login', { EMAIL: email, PASSWORD: 'not it' })).toContain('session.invalid')
  expect(await run('session', { COOKIES: northwind.cookies.join('; ') })).toBe('Northwind Clinic pro eu')
})

test('the verifier starts the enrolment of a second factor', async () => {
  const { token, apiUrl, authVerifier } = await world.company()
  const printed = await run('two-factor', { TOKEN: token, API_URL: apiUrl, AUTH_VERIFIER: authVerifier })
  expect(JSON.parse(printed)).toEqual({
    secret: expect.stringMatching(/^[A-Z2-7]+$/),
    otpauth_url: expect.stringMatching(/^otpauth:\/\/totp\//),
  })
})

test('a delegate works in the portal of a company in another region', async () => {
  const { shareCode, cookies } = await world.person()
  await portal.delegates.create({ share_code: shareCode, role: 'operator', services: [northwind.serviceId] })
  const printed = await run('delegate', { COOKIES: cookies.join('; '), COMPANY_ID: northwind.companyId })
  expect(printed).toBe(`${northwind.companyId} Northwind Clinic`)
  const path = '/api/session?user_type=person'
  expect((await callSession(world.frontDoor.url, 'DELETE', path, { cookies })).status).toBeLessThan(500)
})

test('every program of the guide has run', () => {
  expect([...ran].toSorted()).toEqual([...guide.names].toSorted())
})
