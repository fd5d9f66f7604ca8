import { claimsOf, openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { bearer, get, WHOAMI } from '../wire.ts'
import {
  answerOf,
  attempt,
  exchange,
  type OAuthClient,
  obtainCode,
  obtainTokens,
  renew,
  submitLogin,
  tokensOf,
} from './relying-party.ts'

const world = await openWorld()
const { northwind, harborline, mara } = await world.personas()
const front = world.frontDoor.url
/** Public: every copy of the command has this id, and no secret. */
const command: OAuthClient = {
  clientId: 'command_line',
  clientSecret: null,
  redirectUri: 'http://127.0.0.1:43117/callback',
}
const outOfBand = { ...command, redirectUri: 'urn:ietf:wg:oauth:2.0:oob' }

async function askPage(query: Readonly<Record<string, string>>): Promise<Response> {
  const url = `${front}/oauth2/authorize?${new URLSearchParams(query).toString()}`
  return fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' })
}

const statusOf = async (token: string, path: string, apiUrl = world.eu.url): Promise<number> =>
  (await get(`${apiUrl}${path}`, bearer(token))).status

test('a company user logs in to the command on the hosted page, at any port of 127.0.0.1', async () => {
  const html = await (await askPage(attempt(command).query)).text()
  expect(html).toContain('Sign in for the sealpost command')
  expect(html).toContain('127.0.0.1:43117')
  expect(html).toContain('only if you have just started')
  const made = attempt(command)
  const reply = await exchange(world, command, made, await obtainCode(world, made, northwind))
  expect(reply.body).toMatchObject({ expires_in: 3600, api_url: world.eu.url, refresh_token: expect.any(String) })
  const { access } = tokensOf(reply)
  expect(claimsOf(access)).toMatchObject({ sub: northwind.companyId, client_id: 'command_line', ut: 'company' })
  expect((await get(`${world.eu.url}/api/account`, bearer(access))).body['id']).toBe(northwind.companyId)
})

test('its token manages services, and reaches neither data of customers nor the security of the account', async () => {
  const { access } = await obtainTokens(world, command, northwind)
  const open = ['/api/services', `/api/services/${northwind.serviceId}/webhooks`, '/api/contact-field-types']
  for (const path of open) expect([path, await statusOf(access, path)]).toEqual([path, 200])
  const closed = [
    WHOAMI,
    '/api/account/clients',
    '/api/account/2fa',
    '/api/account-key',
    '/api/delegates',
    '/api/keys/A',
  ]
  for (const path of closed) expect([path, await statusOf(access, path)]).toEqual([path, 403])
  expect(await statusOf(access, `/api/services/${harborline.serviceId}`)).toBe(404)
  const elsewhere = await get(`${world.us.url}/api/services`, bearer(access))
  expect([elsewhere.status, elsewhere.body['api_url']]).toEqual([421, world.eu.url])
})

test('two companies share the client id and nothing else', async () => {
  const [ours, theirs] = await Promise.all([
    obtainTokens(world, command, northwind),
    obtainTokens(world, command, harborline),
  ])
  const home = String((await get(`${front}/api/account`, bearer(theirs.access))).body['api_url'])
  expect(home).toBe(world.us.url)
  expect(await statusOf(theirs.access, `/api/services/${harborline.serviceId}`, home)).toBe(200)
  expect(await statusOf(theirs.access, `/api/services/${northwind.serviceId}`, home)).toBe(404)
  expect(await statusOf(ours.access, `/api/services/${northwind.serviceId}`)).toBe(200)
})

test('without a browser on the machine, the page shows the code and no address contains it', async () => {
  const made = attempt(outOfBand)
  expect(await (await askPage(made.query)).text()).toContain('a code to copy to your terminal')
  const shown = await submitLogin(world, made, northwind)
  expect([shown.status, shown.headers.get('location')]).toEqual([200, null])
  const code = /<code id="code">([\w.-]+)<\/code>/.exec(await shown.text())?.[1] ?? ''
  const strange = await exchange(world, outOfBand, attempt(outOfBand), code)
  expect([strange.status, strange.body['error_key']]).toEqual([400, 'oauth.invalid_grant'])
  const again = attempt(outOfBand)
  const other = /<code id="code">([\w.-]+)<\/code>/.exec(await (await submitLogin(world, again, northwind)).text())
  expect((await exchange(world, outOfBand, again, other?.[1] ?? '')).status).toBe(200)
})

test('a person, a wrong password, another address, no PKCE and a detached request get no code', async () => {
  expect(answerOf(await submitLogin(world, attempt(command), mara)).get('error')).toBe('access_denied')
  const shown = await submitLogin(world, attempt(outOfBand), mara)
  expect([shown.status, await shown.text()]).toEqual([403, expect.not.stringContaining('id="code"')])
  const wrong = await submitLogin(world, attempt(command), { ...northwind, login: mara.login })
  expect([wrong.status, wrong.headers.get('location')]).toEqual([401, null])
  const addresses = [
    'https://client.example/callback',
    'http://localhost:43117/callback',
    'http://127.0.0.1:43117/callback?next=x',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1:43117@evil.example/callback',
  ]
  for (const redirect_uri of addresses) {
    const answer = await askPage(attempt(command, { redirect_uri }).query)
    expect([redirect_uri, answer.status, answer.headers.get('location')]).toEqual([redirect_uri, 400, null])
  }
  const { code_challenge: _challenge, code_challenge_method: _method, ...bare } = attempt(command).query
  expect(answerOf(await askPage(bare)).get('error')).toBe('invalid_request')
  expect((await askPage(attempt(command, { response_mode: 'detached' }).query)).status).toBe(400)
  const polled = await fetch(`${front}/oauth2/result`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'command_line', state: 'a-state' }),
  })
  expect(polled.status).toBe(401)
})

test('a refresh rotates the token; the rotated one ends the login at once', async () => {
  const { refresh } = await obtainTokens(world, command, northwind)
  const renewed = tokensOf(await renew(world, command, refresh))
  expect(await statusOf(renewed.access, '/api/services')).toBe(200)
  expect((await renew(world, command, refresh)).status).toBe(400)
  expect(await statusOf(renewed.access, '/api/services')).toBe(401)
  expect((await renew(world, command, renewed.refresh)).status).toBe(400)
})

test('a revoked login ends at once, in every process', async () => {
  const { access, refresh } = await obtainTokens(world, command, northwind)
  expect(await statusOf(access, '/api/services')).toBe(200)
  const ended = await fetch(`${front}/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'command_line', token: refresh }),
  })
  expect(ended.status).toBe(200)
  expect(await statusOf(access, '/api/services')).toBe(401)
  expect((await renew(world, command, refresh)).status).toBe(400)
})
