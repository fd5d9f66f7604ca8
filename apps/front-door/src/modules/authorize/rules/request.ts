import { type AuthorizeMode, authorizeModes, type AuthorizeQuery } from '@sealpost/protocol'
import type { ClientFacts } from '../../oauth/index.ts'
import type { AnyClient, AuthorizeRequest, Fault } from '../model.ts'

export type Validated<Client extends AnyClient> =
  | { readonly ok: true; readonly request: AuthorizeRequest<Client> }
  | { readonly ok: false; readonly fault: Fault }

const LONGEST_STATE = 512
const LONGEST_NONCE = 512
/** Where a browser hands the code to the command on the same machine, at any port (RFC 8252). */
const LOOPBACK = /^http:\/\/127\.0\.0\.1:\d{1,5}\/callback$/
/** The page shows the code, and the user copies it to a terminal on another machine. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** Checks an authorize request against the client's registration; the client's owner makes no difference. */
export function validateRequest<Client extends AnyClient>(
  client: Client | null,
  query: AuthorizeQuery,
): Validated<Client> {
  if (client === null) return refused('client_id is not a known client')
  const isDetached = query.response_mode === 'detached'
  if (isDetached && !mayDetach(client, query)) return refused('this client may not make detached requests')
  const redirectUri = redirectUriOf(client, query, isDetached)
  if (redirectUri === null) {
    if (client.kind === 'command') return refused('redirect_uri must be http://127.0.0.1:PORT/callback')
    const isBare = client.redirectUris.length === 0
    return refused(
      isBare
        ? 'this client has no redirect URI, so it cannot use codes'
        : 'redirect_uri is not one that the client has registered',
    )
  }
  const state = query.state ?? null
  if (state !== null && state.length > LONGEST_STATE) return refused(`state is longer than ${LONGEST_STATE} characters`)
  if (isDetached && (state === null || state === '')) return refused('a detached request needs a state')
  const scopes = (query.scope ?? '').split(' ').filter((scope) => scope !== '')
  const request: AuthorizeRequest<Client> = {
    client,
    redirectUri,
    state,
    scope: scopes.includes('openid') ? 'openid' : '',
    scopes,
    challenge: query.code_challenge ?? null,
    nonce: query.nonce ?? null,
    mode: authorizeModes.find((mode) => mode === query.mode) ?? 'signin',
    isDetached,
    claims: claimsOf(query),
  }
  const problem = problemOf(request, query)
  // A detached request has no browser that waits at the redirect URI.
  return problem === null
    ? { ok: true, request }
    : { ok: false, fault: { ...problem, to: isDetached ? null : request } }
}

/**
 * A stranger can make a detached request and send the link to a victim; its outcome then goes to the polls, not to an
 * address of the client. So a client needs a secret for its polls, and an app that never polls cannot be used that way.
 * An enrolment has no code and hands out nothing.
 */
function mayDetach({ kind, secret, allowsDetached }: Registration, { mode }: AuthorizeQuery): boolean {
  if (secret === null) return false
  return kind !== 'idw' || allowsDetached || mode === '2fa_enroll'
}

/** Null for one that is not registered. A detached enrolment makes no code, so its client needs none. */
function redirectUriOf(client: Registration, query: AuthorizeQuery, isDetached: boolean): string | null {
  const { redirect_uri: sent, mode } = query
  if (client.kind === 'command') {
    const isOwn = sent !== undefined && (sent === OUT_OF_BAND || (LOOPBACK.test(sent) && URL.canParse(sent)))
    return isOwn ? sent : null
  }
  if (sent !== undefined) return client.redirectUris.includes(sent) ? sent : null
  if (!isDetached) return null
  return client.redirectUris[0] ?? (mode === '2fa_enroll' ? '' : null)
}

type Registration = Pick<ClientFacts, 'kind' | 'redirectUris' | 'secret' | 'allowsDetached'>
type AnyRequest = AuthorizeRequest<AnyClient>
type Problem = Omit<Fault, 'to'>

/** A fault that is reported at the redirect URI. */
function problemOf(request: AnyRequest, query: AuthorizeQuery): Problem | null {
  const { client, mode, nonce } = request
  const { response_type: type, response_mode: responseMode } = query
  if (type !== undefined && type !== 'code') {
    return { ...invalid('response_type must be code'), code: 'unsupported_response_type' }
  }
  if (responseMode !== undefined && !['redirect', 'query', 'detached'].includes(responseMode)) {
    return invalid('response_mode must be redirect, query or detached')
  }
  if (query.mode !== undefined && mode !== query.mode)
    return invalid(`mode must be one of ${authorizeModes.join(', ')}`)
  if (nonce !== null && nonce.length > LONGEST_NONCE) return invalid(`nonce is longer than ${LONGEST_NONCE} characters`)
  if (!isModeOf(client, mode)) {
    const sentence = `mode ${mode} is not for this kind of client`
    return { code: 'unauthorized_client', key: 'oauth.unauthorized_client', sentence }
  }
  return challengeProblem(request, query)
}

/** Only S256: with the plain method, an observer of the request could redeem the code. */
function challengeProblem({ client, challenge, mode }: AnyRequest, query: AuthorizeQuery): Problem | null {
  const method = query.code_challenge_method
  if (challenge === null) {
    if (method !== undefined) return invalid('code_challenge_method was sent without a code_challenge')
    const makesCode = mode !== '2fa_enroll'
    return makesCode && needsChallenge(client) ? invalid('this client must send a code_challenge (PKCE)') : null
  }
  if (method !== 'S256') return invalid('code_challenge_method must be S256')
  return CHALLENGE.test(challenge) ? null : invalid('code_challenge must be the base64url of a SHA-256')
}

function needsChallenge({ kind, secret }: Pick<ClientFacts, 'kind' | 'secret'>): boolean {
  return kind === 'acct' || secret === null
}

/** Claims and connections are for sign-in apps; a data client can also enrol its service's customers. */
function isModeOf({ kind }: Registration, mode: AuthorizeMode): boolean {
  switch (kind) {
    case 'idw':
      return true
    case 'svc':
      return mode === 'signin' || mode === '2fa_enroll'
    case 'acct':
    case 'command':
      return mode === 'signin'
  }
}

/** `claims` is the older name. OpenID Connect uses it for an object, which is ignored. */
function claimsOf({ app_claims: claims, claims: older }: AuthorizeQuery): string | null {
  if (claims !== undefined) return claims
  return older !== undefined && older.trimStart().startsWith('[') ? older : null
}

function invalid(sentence: string): Problem {
  return { code: 'invalid_request', key: 'oauth.invalid_request', sentence }
}

function refused(sentence: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { ...invalid(sentence), to: null } }
}
