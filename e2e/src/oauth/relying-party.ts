import { createHash, randomBytes } from 'node:crypto'
import { call, type LoggedIn, type Office } from '@sealpost/testkit'
import { postForm, type WireAnswer } from '../wire.ts'

/** The credentials of a client. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: string | null
  readonly redirectUri: string
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

export async function createAccountClient(owner: LoggedIn): Promise<OAuthClient> {
  const body = { name: 'Automation', capabilities: [], redirect_uri: REDIRECT }
  return clientOf(await call(owner, 'POST', '/api/account/clients', { body }))
}

export async function setRedirect(owner: LoggedIn, serviceId: string, redirectUri: string | null): Promise<void> {
  const reply = await call(owner, 'PUT', `/api/services/${serviceId}/client`, { body: { redirect_uri: redirectUri } })
  if (reply.status !== 200) throw new Error(`no redirect URI: ${reply.text}`)
}

function clientOf({ status, text, body }: Awaited<ReturnType<typeof call>>): OAuthClient {
  if (status !== 201) throw new Error(`no client: ${text}`)
  return { clientId: String(body['client_id']), clientSecret: String(body['client_secret']), redirectUri: REDIRECT }
}

/** Submits the form of the hosted page without a browser. Returns the redirect. */
export async function submitLogin(
  office: Office,
  { query }: Attempt,
  user: CompanyUser,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = { ...query, email: user.email, auth_verifier: user.login.authVerifier, ...more }
  return fetch(`${office.two.frontDoor.url}/oauth2/authorize`, {
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

export async function obtainCode(office: Office, made: Attempt, user: CompanyUser): Promise<string> {
  const code = answerOf(await submitLogin(office, made, user)).get('code')
  if (code === null) throw new Error('no code')
  return code
}

export function exchange(
  office: Office,
  client: OAuthClient,
  { verifier }: Attempt,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Promise<WireAnswer> {
  return token(office, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
    ...more,
  })
}

export function renew(office: Office, client: OAuthClient, refreshToken: string): Promise<WireAnswer> {
  return token(office, client, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

export function token(
  office: Office,
  client: OAuthClient,
  form: Readonly<Record<string, string>>,
): Promise<WireAnswer> {
  const { clientId, clientSecret } = client
  const secret = clientSecret === null ? {} : { client_secret: clientSecret }
  return postForm(`${office.two.frontDoor.url}/oauth2/token`, { client_id: clientId, ...secret, ...form })
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
export async function obtainTokens(office: Office, client: OAuthClient, user: CompanyUser): Promise<Tokens> {
  const made = attempt(client)
  return tokensOf(await exchange(office, client, made, await obtainCode(office, made, user)))
}
