import { PERSON_APP } from '@sealpost/access-token'
import type { Call } from '@sealpost/http'
import { parseUuid, type RegionCode, type UserId } from '@sealpost/kernel'
import { readBearerAsk, refuse } from '@sealpost/protocol'
import { limitHeaders, requireFromBuckets } from '../../../platform/limits.ts'
import { findDirectoryAccount, openParty } from '../../directory/index.ts'
import type { Authorize } from '../model.ts'

export interface Bearer {
  readonly userId: UserId
  readonly sessionId: string
}

export interface Person {
  readonly userId: UserId
  readonly home: RegionCode
  readonly shareCode: string
  readonly email: string
  readonly challenge: string | null
  /** The login was confirmed by a one-time code. */
  readonly hasSecondFactor: boolean
}

/** The claims of a person app's token. Only the signature is checked here. */
export async function readBearer({ verifier }: Authorize, { bearer }: Call): Promise<Bearer> {
  if (bearer === null) throw refuse('auth.token_missing')
  const claims = await verifier.verify(bearer)
  const userId = parseUuid<UserId>(claims.subject)
  if (claims.clientId !== PERSON_APP || claims.userType !== 'person') throw refuse('auth.client_endpoint_forbidden', {})
  if (userId === null) throw refuse('auth.token_invalid')
  return { userId, sessionId: claims.sessionId }
}

/** Limits approvals per person: the home region stores each of them for as long as its grant. */
export async function takeFromPerson(
  context: Authorize,
  { userId }: Bearer,
): Promise<Readonly<Record<string, string>>> {
  const quota = context.settings.RATE_DATA
  return limitHeaders(await requireFromBuckets(context, [{ policy: 'data', key: `user:${userId}`, quota }]))
}

/** Asks the person's home whether the session is still open. */
export async function identifyPerson(
  context: Authorize,
  { userId, sessionId }: Bearer,
  wantsChallenge: boolean,
): Promise<Person> {
  const account = await context.database.read((read) => findDirectoryAccount(read, userId))
  if (account === null) throw refuse('auth.token_invalid')
  const { bearer } = await context.bus.ask(readBearerAsk, {
    to: await openParty(context, account.region),
    body: { user_id: userId, session_id: sessionId, wants_challenge: wantsChallenge },
  })
  if (bearer?.user_type !== 'person') throw refuse('auth.token_invalid')
  const { share_code: shareCode, email, challenge, has_second_factor: hasSecondFactor = false } = bearer
  return { userId, home: account.region, shareCode, email, challenge, hasSecondFactor }
}
