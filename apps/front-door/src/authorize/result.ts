import { Answer, type AnswerExtras, type Call } from '@sealpost/http'
import { Secret } from '@sealpost/kernel'
import { type DetachedOutcome, parseAs, putResultAsk, readResultAsk, refuse, takeResultAsk } from '@sealpost/protocol'
import { errors } from 'oidc-provider'
import Type from 'typebox'
import { checkClientSecret } from '../oauth/client-secret.ts'
import { sha256 } from '../oauth/grant-adapter.ts'
import { openParty } from '../sessions/index.ts'
import { findNamedClient, type NamedClient } from './clients.ts'
import { type CodeTerms, makeCode } from './issue.ts'
import { takeFromBucket } from './limits.ts'
import type { AuthorizeNeeds } from './needs.ts'
import type { AuthorizeRequest } from './request.ts'

export interface Poll {
  readonly client_id?: string
  readonly client_secret?: string
  readonly state: string
}

const POLL_SECONDS = 2

const Terms = Type.Object({
  userId: Type.String(),
  clientId: Type.String(),
  redirectUri: Type.String(),
  scope: Type.String(),
  challenge: Type.Union([Type.String(), Type.Null()]),
  nonce: Type.Union([Type.String(), Type.Null()]),
  authTime: Type.Integer(),
})

/** Keeps how a detached request ended, where the client's company lives. */
export async function putOutcome(
  needs: AuthorizeNeeds,
  { client, state }: AuthorizeRequest,
  outcome: DetachedOutcome,
): Promise<void> {
  const { is_stored: isStored } = await needs.bus.ask(putResultAsk, {
    to: await openParty(needs, client.region),
    body: { ...nameOf(client, state ?? ''), outcome },
  })
  if (!isStored) throw refuse('oauth.invalid_request', undefined, { sentence: 'this state was used before' })
}

/**
 * Gives an outcome once. The code is made before the outcome is taken: if making it fails, the next poll tries again;
 * if two polls race, one takes and the other's code is told to nobody.
 */
export async function pollOutcome(needs: AuthorizeNeeds, call: Call, poll: Poll) {
  const client = await authenticate(needs, credentialsOf(call, poll))
  const key = `${client.clientId}:${sha256(poll.state)}`
  const headers = await takeFromBucket(needs, { policy: 'result', key, quota: needs.resultQuota })
  const to = await openParty(needs, client.region)
  const name = nameOf(client, poll.state)
  const { state, outcome } = await needs.bus.ask(readResultAsk, { to, body: name })
  if (state === 'over') throw refuse('oauth.result_expired')
  if (outcome === null) return reply({ status: 'pending' as const, interval: POLL_SECONDS }, { status: 202, headers })
  const told = await prepare(needs, outcome, poll.state)
  const { is_taken: isTaken } = await needs.bus.ask(takeResultAsk, { to, body: name })
  if (!isTaken) throw refuse('oauth.result_expired')
  if (told === null) throw refuse('oauth.access_denied')
  return reply(told, { headers })
}

async function prepare(needs: AuthorizeNeeds, outcome: DetachedOutcome, state: string) {
  switch (outcome.kind) {
    case 'denied':
      return null
    case 'enrolled':
      return { enrolled: true as const, state }
    case 'approved': {
      const terms: CodeTerms = parseAs(Terms, outcome.payload, 'grants.result')
      return { code: await makeCodeOf(needs, outcome.grant_id, terms), state, iss: needs.issuer }
    }
  }
}

/** Whoever agreed may have taken it back since, or be gone. */
async function makeCodeOf(needs: AuthorizeNeeds, grantId: string, terms: CodeTerms): Promise<string> {
  try {
    return await makeCode(needs, grantId, terms)
  } catch (error) {
    throw error instanceof errors.InvalidGrant ? refuse('oauth.result_expired') : error
  }
}

/** A confidential client proves itself; to a public one its unguessable state must do. */
async function authenticate(needs: AuthorizeNeeds, { id, secret }: Credentials): Promise<NamedClient> {
  const client = await findNamedClient(needs.database, id)
  if (client === null) throw refuse('oauth.bad_client')
  if (client.secret === null) return client
  const isRight = await checkClientSecret(needs, client, secret)
  if (!isRight) throw refuse('oauth.bad_client')
  return client
}

interface Credentials {
  readonly id: string | undefined
  readonly secret: Secret<string>
}

/** In the form or by HTTP Basic, as at the token endpoint; never both. */
function credentialsOf({ authorization }: Call, { client_id: id, client_secret: secret = '' }: Poll): Credentials {
  if (authorization === null) return { id, secret: new Secret(secret) }
  const basic = readBasic(authorization)
  if (basic === null || secret !== '' || (id !== undefined && id !== basic.id)) throw refuse('oauth.invalid_request')
  return basic
}

/** RFC 6749 section 2.3.1: both halves are encoded as in a form. */
function readBasic(header: string): Credentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) return null
  try {
    return { id: decodeForm(id), secret: new Secret(decodeForm(secret)) }
  } catch {
    return null
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

function nameOf(client: { readonly userId: string; readonly clientId: string }, state: string) {
  return { company_id: client.userId, client_id: client.clientId, state_sha256: sha256(state) }
}

function reply<Body>(body: Body, extras: AnswerExtras): Answer<Body> {
  return new Answer(body, extras)
}
