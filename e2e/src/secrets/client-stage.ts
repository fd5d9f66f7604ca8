import { createHash, randomBytes } from 'node:crypto'
import type { Signed } from './account-stage.ts'
import type { RecordingClient } from './recording-client.ts'

/** A machine client with its secret and token. */
export interface MachineClient {
  readonly clientId: string
  readonly clientSecret: string
  readonly token: string
}

const REDIRECT = 'https://app.example/back'

/** An account client and a sign-in app with secrets, new secrets and tokens. */
export async function openClients(http: RecordingClient, signed: Signed): Promise<MachineClient> {
  const { apiUrl, token: bearer } = signed
  const json = { name: 'Planted', capabilities: ['service_management', 'oauth_apps'], redirect_uri: REDIRECT }
  const made = await http.send(`${apiUrl}/api/account/clients`, {
    bearer,
    json,
    headers: { 'idempotency-key': 'planted-client' },
    expect: 201,
    givesSecret: true,
  })
  const clientId = String(made.body['client_id'])
  keepSecret(http, made.body)
  const renewed = await http.send(`${apiUrl}/api/account/clients/${clientId}/regenerate-secret`, {
    method: 'POST',
    bearer,
    headers: { 'idempotency-key': 'planted-renewal' },
    expect: 200,
    givesSecret: true,
  })
  const clientSecret = keepSecret(http, renewed.body)
  await http.send(`${apiUrl}/api/account/clients`, { bearer, expect: 200 })
  const token = await requestToken(http, { clientId, clientSecret })
  return { clientId, clientSecret, token }
}

/** A code with PKCE, its exchange, a refresh, a replay and a revocation. */
export async function runCodeFlow(http: RecordingClient, signed: Signed, client: MachineClient): Promise<void> {
  const { secrets, send, installation } = http
  const front = installation.frontDoor.url
  const verifier = randomBytes(32).toString('base64url')
  secrets.keep('a code verifier', verifier)
  const ask = {
    client_id: client.clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    state: 'a-state-that-is-no-secret',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  await send(`${front}/oauth2/authorize?${new URLSearchParams(ask).toString()}`)
  const login = { email: signed.user.email, auth_verifier: signed.user.authVerifier, otp: signed.backupCodes[0] ?? '' }
  await send(`${front}/oauth2/authorize`, { form: { ...ask, ...login, otp: '000000' } })
  const allowed = await send(`${front}/oauth2/authorize`, {
    form: { ...ask, ...login },
    expect: 303,
    givesSecret: true,
  })
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? ''
  secrets.keepToken('an authorization code', code)
  const credentials = { client_id: client.clientId, client_secret: client.clientSecret }
  const exchange = {
    ...credentials,
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  }
  await send(`${front}/oauth2/token`, { form: { ...exchange, redirect_uri: 'https://wrong.example' }, expect: 400 })
  await refreshTwice(http, credentials, exchange)
}

async function refreshTwice(
  { secrets, send, installation }: RecordingClient,
  credentials: Readonly<Record<string, string>>,
  exchange: Readonly<Record<string, string>>,
): Promise<void> {
  const url = `${installation.frontDoor.url}/oauth2/token`
  const keep = (body: Readonly<Record<string, unknown>>): string => {
    secrets.keepToken('an access token of a code', String(body['access_token']))
    secrets.keepToken('a refresh token', String(body['refresh_token']))
    return String(body['refresh_token'])
  }
  const first = keep((await send(url, { form: exchange, expect: 200, givesSecret: true })).body)
  const again = { ...credentials, grant_type: 'refresh_token', refresh_token: first }
  const second = keep((await send(url, { form: again, expect: 200, givesSecret: true })).body)
  await send(url, { form: { ...exchange }, expect: 400 })
  await send(`${installation.frontDoor.url}/oauth2/revoke`, { form: { ...credentials, token: second } })
  await send(url, { form: again, expect: 400 })
}

async function requestToken(
  http: RecordingClient,
  client: Pick<MachineClient, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret }
  const url = `${http.installation.frontDoor.url}/oauth2/token`
  const { body } = await http.send(url, { form, expect: 200, givesSecret: true })
  const token = String(body['access_token'])
  http.secrets.keepToken('an access token of a client', token)
  return token
}

function keepSecret({ secrets }: RecordingClient, body: Readonly<Record<string, unknown>>): string {
  const secret = String(body['client_secret'])
  secrets.keep('a client secret', secret)
  return secret
}
