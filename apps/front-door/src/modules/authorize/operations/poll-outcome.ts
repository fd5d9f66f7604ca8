import { Answer, type Call } from '@sealpost/http'
import { type DetachedOutcome, parseAs, readResultAsk, refuse, takeResultAsk } from '@sealpost/protocol'
import { errors } from 'oidc-provider'
import Type from 'typebox'
import type { Credentials } from '../../../platform/basic-credentials.ts'
import { limitHeaders, requireFromBuckets } from '../../../platform/limits.ts'
import { sha256 } from '../../../platform/sha256.ts'
import { openParty } from '../../directory/index.ts'
import { checkClientSecret } from '../../oauth/index.ts'
import type { Authorize, CodeTerms, NamedClient } from '../model.ts'
import { readCredentials } from '../rules/client-credentials.ts'
import { findNamedClient } from './find-named-client.ts'
import { makeCode } from './issue-code.ts'
import { invalidRequest } from './read-app.ts'

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

/**
 * Returns an outcome once. The code is made before the outcome is taken: if making it fails, the next poll tries again.
 * Two concurrent polls: one takes the outcome, and the code of the other is never sent.
 */
export async function pollOutcome(context: Authorize, call: Call, poll: Poll) {
  const client = await authenticate(context, readCredentials(call.authorization, poll))
  const key = `${client.clientId}:${sha256(poll.state)}`
  const quota = context.settings.RATE_RESULT
  const headers = limitHeaders(await requireFromBuckets(context, [{ policy: 'result', key, quota }]))
  const to = await openParty(context, client.region)
  const name = resultNameOf(client, poll.state)
  const { state, outcome } = await context.bus.ask(readResultAsk, { to, body: name })
  if (state === 'over') throw refuse('oauth.result_expired')
  if (outcome === null) {
    return new Answer({ status: 'pending' as const, interval: POLL_SECONDS }, { status: 202, headers })
  }
  const answer = await prepareAnswer(context, outcome, poll.state)
  const { is_taken: isTaken } = await context.bus.ask(takeResultAsk, { to, body: name })
  if (!isTaken) throw refuse('oauth.result_expired')
  if (answer === null) throw refuse('oauth.access_denied')
  return new Answer(answer, { headers })
}

/** The key under which the region of the client's company stores an outcome. */
export function resultNameOf(client: Pick<NamedClient, 'userId' | 'clientId'>, state: string) {
  return { company_id: client.userId, client_id: client.clientId, state_sha256: sha256(state) }
}

async function prepareAnswer(context: Authorize, outcome: DetachedOutcome, state: string) {
  switch (outcome.kind) {
    case 'denied':
      return null
    case 'enrolled':
      return { enrolled: true as const, state }
    case 'approved': {
      const terms: CodeTerms = parseAs(Terms, outcome.payload, 'grants.result')
      const code = await makeCodeOf(context, outcome.grant_id, terms)
      return { code, state, iss: context.settings.PUBLIC_URL }
    }
  }
}

/** The user may have revoked the grant since, or be gone. */
async function makeCodeOf(context: Authorize, grantId: string, terms: CodeTerms): Promise<string> {
  try {
    return await makeCode(context, grantId, terms)
  } catch (error) {
    throw error instanceof errors.InvalidGrant ? refuse('oauth.result_expired') : error
  }
}

/** Only a client with a secret polls: a public one has no detached requests. */
async function authenticate(context: Authorize, { id, secret }: Credentials): Promise<NamedClient> {
  const client = await findNamedClient(context, id)
  if (client === null) throw refuse('oauth.bad_client')
  if (client.secret === null) throw invalidRequest('a public client has no detached requests')
  const isRight = await checkClientSecret(context, client, secret)
  if (!isRight) throw refuse('oauth.bad_client')
  return client
}
