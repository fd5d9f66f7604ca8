import { openWorld } from '@sealpost/testkit'
import { expect, test } from 'vitest'
import { bearer, get, WHOAMI } from '../wire.ts'
import {
  answerOf,
  type Attempt,
  attempt,
  createAccountClient,
  exchange,
  type OAuthClient,
  obtainCode,
  obtainTokens,
  REDIRECT,
  renew,
  submitLogin,
  token,
} from './relying-party.ts'

const world = await openWorld()
const company = await world.company()

/** The status of a login at the hosted page; 303 leads back to the client. */
async function loginStatus(client: OAuthClient): Promise<number> {
  return (await submitLogin(world, attempt(client), company)).status
}

async function grantOutcome(client: OAuthClient, form: Readonly<Record<string, string>>): Promise<unknown> {
  const { status, body } = await token(world, client, form)
  return status === 200 ? status : body['error']
}

const credentials = { grant_type: 'client_credentials' }

test('an account client has the authorization-code grant, with PKCE, only while it has a redirect URI [TOKEN-13]', async () => {
  const client = await createAccountClient(company)
  const change = async (redirect_uri: string | null): Promise<void> => {
    const path = `/api/account/clients/${client.clientId}/capabilities`
    const body = { capabilities: [], redirect_uri }
    expect(await company.calls('PUT', path, { body })).toMatchObject({ status: 200, body: { redirect_uri } })
  }
  const plain = answerOf(await submitLogin(world, withoutChallenge(attempt(client)), company))
  expect([plain.get('error'), plain.get('code')]).toEqual(['invalid_request', null])
  const { refresh } = await obtainTokens(world, client, company)
  const pending = attempt(client)
  const code = await obtainCode(world, pending, company)

  await change(null)
  expect(await loginStatus(client)).toBe(400)
  expect((await exchange(world, client, pending, code)).body['error']).toBe('unauthorized_client')
  expect((await renew(world, client, refresh)).body['error']).toBe('unauthorized_client')
  expect(await grantOutcome(client, credentials)).toBe(200)

  await change(REDIRECT)
  expect(await loginStatus(client)).toBe(303)
  expect(await grantOutcome(client, credentials)).toBe(200)
})

test('the redirect URI of a data client can be changed at any time, and only its authorization-code grant depends on it [CLIENT-07]', async () => {
  const service = await world.service([], { company })
  const at = (redirectUri: string): OAuthClient => ({ ...service.client, redirectUri })
  const [first, second] = [at('https://client.example/first'), at('https://client.example/second')]
  const change = async (redirect_uri: string | null): Promise<void> => {
    const changed = await company.calls('PUT', `${service.path}/client`, { body: { redirect_uri } })
    expect(changed).toMatchObject({ status: 200, body: { redirect_uri } })
  }
  const machine = await service.token()
  expect([await loginStatus(first), await loginStatus(second)]).toEqual([400, 400])
  await change(first.redirectUri)
  expect([await loginStatus(first), await loginStatus(second)]).toEqual([303, 400])
  const tokens = await obtainTokens(world, first, company)
  await change(second.redirectUri)
  expect([await loginStatus(first), await loginStatus(second)]).toEqual([400, 303])
  expect(await grantOutcome(second, credentials)).toBe(200)
  await change(null)
  expect([await loginStatus(first), await loginStatus(second)]).toEqual([400, 400])
  expect(await grantOutcome(second, credentials)).toBe(200)
  for (const earlier of [machine, tokens.access]) {
    expect((await get(`${company.apiUrl}${WHOAMI}`, bearer(earlier))).status).toBe(200)
  }
  expect((await renew(world, second, tokens.refresh)).status).toBe(200)
})

function withoutChallenge({ verifier, query }: Attempt): Attempt {
  const { code_challenge: _challenge, code_challenge_method: _method, ...rest } = query
  return { verifier, query: rest }
}
