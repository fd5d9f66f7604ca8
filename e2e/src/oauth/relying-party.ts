import { createHash, randomBytes } from 'node:crypto'
import type { Account, Answer, PersonaCompany } from '@sealpost/testkit'
import { postForm, type WireAnswer } from '../wire.ts'

/** The credentials of a client. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string | null
  readonly redirectUri: string
}

/** Where its requests go. */
export interface OAuthPlace {
  readonly frontDoor: { readonly url: string }
}

export interface CompanyUser {
  readonly email: string
  readonly login: { readonly authVerifier: string }
}

export const REDIRECT = 'https://client.example/callback'

/** An authorize request, with the verifier for its exchange. */
export interface Attempt {
  readonly verifier: string
  readonly query: Readonly<Record<string, string>>
}

export function attempt(client: OAuthClient, more: Readonly<Record<string, string>> = {}): Attempt {
  const verifier = randomBytes(32).toString('base64url')
  const query = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: 'code',
    state: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  }
  return { verifier, query }
}

export async function createAccountClient({ calls }: Pick<Account, 'calls'>): Promise<OAuthClient> {
  const body = { name: 'Automation', capabilities: [], redirect_uri: REDIRECT }
  return clientOf(await calls('POST', '/api/account/clients', { body }))
}

/** The data client of the company's service, with a redirect URI from now on. */
export async function dataClientOf(
  { calls, serviceId, clientId, clientSecret }: PersonaCompany,
  redirectUri = REDIRECT,
): Promise<OAuthClient & { readonly clientSecret: string }> {
  const reply = await calls('PUT', `/api/services/${serviceId}/client`, { body: { redirect_uri: redirectUri } })
  if (reply.status !== 200) throw new Error(`no redirect URI: ${reply.text}`)
  return { clientId, clientSecret, redirectUri }
}

function clientOf({ status, text, body }: Answer): OAuthClient {
  if (status !== 201) throw new Error(`no client: ${text}`)
  return { clientId: String(body['client_id']), clientSecret: String(body['client_secret']), redirectUri: REDIRECT }
}

/** Submits the form of the hosted page without a browser. Returns the redirect. */
export async function submitLogin(
  place: OAuthPlace,
  { query }: Attempt,
  user: CompanyUser,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = { ...query, email: user.email, auth_verifier: user.login.authVerifier, ...more }
  return fetch(`${place.frontDoor.url}/oauth2/authorize`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { accept: 'text/html' },
    redirect: 'manual',
  })
}

/** The parameters at the redirect URI of the client. */
export function answerOf(response: Response): URLSearchParams {
  const location = response.headers.get('location')
  if (location === null) throw new Error(`no redirect: ${response.status}`)
  return new URL(location).searchParams
}

export async function obtainCode(place: OAuthPlace, made: Attempt, user: CompanyUser): Promise<string> {
  const code = answerOf(await submitLogin(place, made, user)).get('code')
  if (code === null) throw new Error('no code')
  return code
}

export function exchange(
  place: OAuthPlace,
  client: OAuthClient,
  { verifier }: Attempt,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<WireAnswer> {
  return token(place, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
    ...more,
  })
}

export function renew(place: OAuthPlace, client: OAuthClient, refreshToken: string): Promise<WireAnswer> {
  return token(place, client, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

export function token(
  place: OAuthPlace,
  client: OAuthClient,
  form: Readonly<Record<string, string>>,
): Promise<WireAnswer> {
  const { clientId, clientSecret } = client
  const secret = clientSecret === null ? {} : { client_secret: clientSecret }
  return postForm(`${place.frontDoor.url}/oauth2/token`, { client_id: clientId, ...secret, ...form })
}

export interface Tokens {
  readonly access: string
  readonly refresh: string
}

export function tokensOf({ status, body }: WireAnswer): Tokens {
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
  return { access: String(body['access_token']), refresh: String(body['refresh_token']) }
}

/** The whole flow of a company user. */
export async function obtainTokens(place: OAuthPlace, client: OAuthClient, user: CompanyUser): Promise<Tokens> {
  const made = attempt(client)
  return tokensOf(await exchange(place, client, made, await obtainCode(place, made, user)))
}
