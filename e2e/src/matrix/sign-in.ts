import { createHash, randomBytes } from 'node:crypto'
import type { TwoRegions } from '@sealpost/testkit'
import { requireAs, type WorldOwner } from './owners.ts'
import { type Answer, membersOf, send } from './send.ts'

export const REDIRECT_URI = 'https://app.example/back'

export interface SignInApp {
  readonly clientId: string
  readonly clientSecret: string
}

export function appBody(owner: WorldOwner): Readonly<Record<string, unknown>> {
  return {
    name: 'Matrix',
    redirect_uris: [REDIRECT_URI],
    public_key: owner.key.publicKey,
    encrypted_private_key: owner.key.encryptedPrivateKey,
  }
}

export async function addApp(owner: WorldOwner): Promise<SignInApp> {
  const made = await requireAs(owner, 'POST', '/api/account/oauth-apps', appBody(owner))
  return { clientId: String(made['client_id']), clientSecret: String(made['client_secret']) }
}

/** An authorize request of the app, for the query or for the body of the decision. */
export function authorizeRequest({ clientId }: SignInApp, verifier: string): Readonly<Record<string, string>> {
  return {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    state: randomBytes(16).toString('base64url'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
}

/** The person consents, and the app exchanges its code. Returns the token of the app. */
export async function signInWith(
  sites: TwoRegions,
  app: SignInApp,
  person: WorldOwner,
): Promise<{ readonly token: string; readonly refreshToken: string }> {
  const verifier = randomBytes(32).toString('base64url')
  const decided = await send({
    method: 'POST',
    url: `${sites.frontDoor.url}/oauth2/authorize`,
    headers: {
      authorization: `Bearer ${person.session.token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ ...authorizeRequest(app, verifier), decision: 'approve', values: {} }),
  })
  const { redirect_to: redirect } = membersOf(decided)
  const code = typeof redirect === 'string' ? new URL(redirect).searchParams.get('code') : null
  if (code === null) throw new Error(`no code: ${decided.status} ${decided.text}`)
  const exchanged = await postForm(sites, '/oauth2/token', {
    grant_type: 'authorization_code',
    ...credentialsOf(app),
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  })
  const { access_token: token, refresh_token: refreshToken } = membersOf(exchanged)
  if (typeof token === 'string' && typeof refreshToken === 'string') return { token, refreshToken }
  throw new Error(`no token: ${exchanged.status} ${exchanged.text}`)
}

export async function revoke(sites: TwoRegions, app: SignInApp, refreshToken: string): Promise<void> {
  const answer = await postForm(sites, '/oauth2/revoke', { ...credentialsOf(app), token: refreshToken })
  if (answer.status !== 200) throw new Error(`not revoked: ${answer.status} ${answer.text}`)
}

export function credentialsOf(app: SignInApp): { readonly client_id: string; readonly client_secret: string } {
  return { client_id: app.clientId, client_secret: app.clientSecret }
}

function postForm(sites: TwoRegions, path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  return send({
    method: 'POST',
    url: `${sites.frontDoor.url}${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
}
