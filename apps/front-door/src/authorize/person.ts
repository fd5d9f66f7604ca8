import { PERSON_APP } from '@sealpost/access-token'
import { Answer, type Call } from '@sealpost/http'
import { parseUuid, type RegionCode, type UserId } from '@sealpost/kernel'
import {
  type AuthorizeView,
  type DeviceAssertion,
  readAppAsk,
  readBearerAsk,
  refuse,
  shareValuesAsk,
  type SigninClaim,
  verifyAssertionAsk,
} from '@sealpost/protocol'
import { findDirectoryAccount } from '../directory/index.ts'
import { openParty } from '../sessions/index.ts'
import { judgeAnswers, tightenClaims } from './claims.ts'
import { deliver, deny, type Outcome } from './company.ts'
import { openGrant, termsOf } from './issue.ts'
import { takeFromBucket } from './limits.ts'
import type { AuthorizeNeeds } from './needs.ts'
import type { AuthorizeRequest } from './request.ts'

/** What the person app sends once the person has decided. */
export interface Decision {
  readonly decision: 'approve' | 'deny'
  readonly values?: Readonly<Record<string, string>>
  readonly values_attestation?: Readonly<Record<string, string>>
  readonly id_claims?: { readonly name?: string; readonly email?: string }
  readonly assertion_challenge?: string
  readonly assertion?: DeviceAssertion
}

interface Person {
  readonly userId: UserId
  readonly home: RegionCode
  readonly shareCode: string
  readonly email: string
  readonly challenge: string | null
}

interface Shown {
  readonly app: AuthorizeView['app']
  readonly service: AuthorizeView['service']
  readonly claims: readonly SigninClaim[]
}

/** What the person app shows. */
export async function describeRequest(
  needs: AuthorizeNeeds,
  call: Call,
  request: AuthorizeRequest,
): Promise<Answer<AuthorizeView>> {
  const bearer = await readToken(needs, call)
  const headers = await takeFromPerson(needs, bearer)
  demandForPersons(request)
  const { app, service, claims } = await findShown(needs, request)
  const { challenge } = await identify(needs, bearer, app.require_2fa)
  const view = { app, service, mode: request.mode, claims: [...claims], assertion_challenge: challenge }
  // Connections are not there yet, and nobody can be enrolled without one.
  return new Answer({ ...view, connected: false, enrolled: false }, { headers })
}

export async function completeAsPerson(
  needs: AuthorizeNeeds,
  call: Call,
  request: AuthorizeRequest,
  decision: Decision,
): Promise<Outcome> {
  const bearer = await readToken(needs, call)
  await takeFromPerson(needs, bearer)
  demandForPersons(request)
  const person = await identify(needs, bearer, false)
  const shown = await findShown(needs, request)
  if (decision.decision === 'deny') {
    return deny(needs, request, { code: 'access_denied', key: 'oauth.access_denied', sentence: 'the person refused' })
  }
  demandFinishable(request)
  const { values = {}, values_attestation: attestation = {} } = decision
  const isPlain = shown.app.claims_delivery === 'plaintext' && request.mode === 'signin'
  const problem = judgeAnswers(shown.claims, { values, attestation, isPlain })
  if (problem !== null) throw invalid(problem)
  const hasSecondFactor = await judgeAssertion(needs, person, shown, decision)
  const grantId = await openGrant(needs, {
    userId: person.userId,
    home: person.home,
    request,
    consent: {
      mode: request.mode,
      user_type: 'person',
      share_code: person.shareCode,
      two_factor: hasSecondFactor,
      proof: { session_id: bearer.sessionId },
      ...idClaims(person, isPlain, decision),
    },
  })
  const to = await openParty(needs, person.home)
  await needs.bus.ask(shareValuesAsk, {
    to,
    body: { grant_id: grantId, values: { ...values }, values_attestation: { ...attestation } },
  })
  return deliver(needs, request, grantId, termsOf(needs, person.userId, request))
}

/** An address is verified when it is the account's own, which was confirmed by mail. */
function idClaims({ email }: Person, isPlain: boolean, { id_claims: given = {} }: Decision) {
  if (!isPlain) return { name: null, email: null, email_verified: false }
  return { name: given.name ?? null, email: given.email ?? null, email_verified: given.email === email }
}

/** Other clients act for their company: its users sign in on the hosted page, and a person's session is no such login. */
function demandForPersons({ client, mode }: AuthorizeRequest): void {
  if (client.kind === 'idw' || mode === '2fa_enroll') return
  throw refuse('oauth.unauthorized_client', undefined, {
    sentence: 'this client is for users of its company, who sign in on the page of the authorize request',
  })
}

/** Both need a connection to the service, and there are none yet. */
function demandFinishable({ mode }: AuthorizeRequest): void {
  if (mode === 'connect') throw invalid('connecting to a service is not possible yet; use mode signin or one_time')
  if (mode === '2fa_enroll') throw invalid('enrolment needs a connection to the service; connect to it first')
}

async function judgeAssertion(
  needs: AuthorizeNeeds,
  { userId, home }: Person,
  { app }: Shown,
  { assertion, assertion_challenge: challenge }: Decision,
): Promise<boolean> {
  if (assertion === undefined || challenge === undefined) {
    if (app.require_2fa) throw invalid('this app asks for a second factor: sign `assertion_challenge` with a device')
    return false
  }
  const body = { user_id: userId, challenge, assertion }
  const { is_verified: isVerified } = await needs.bus.ask(verifyAssertionAsk, {
    to: await openParty(needs, home),
    body,
  })
  if (!isVerified) throw invalid('the assertion is not by a device of this person, or its challenge is no longer good')
  return true
}

async function findShown(needs: AuthorizeNeeds, request: AuthorizeRequest): Promise<Shown> {
  const { client, mode } = request
  const { app } = await needs.bus.ask(readAppAsk, {
    to: await openParty(needs, client.region),
    body: { company_id: client.userId, client_id: client.clientId, service_id: client.serviceId },
  })
  if (app === null) throw invalid('client_id is not a known client')
  if (mode === 'connect' && app.service === null) throw refuse('oauth.connect_no_service')
  const claims = tightenClaims(app.claims, request.claims, mode)
  if (!claims.ok) throw invalid(claims.refusal)
  const { service, claims: _own, ...shown } = app
  return { app: { client_id: client.clientId, ...shown }, service, claims: claims.value }
}

interface Bearer {
  readonly userId: UserId
  readonly sessionId: string
}

async function readToken(needs: AuthorizeNeeds, { bearer }: Call): Promise<Bearer> {
  if (bearer === null) throw refuse('auth.token_missing')
  const claims = await needs.verifier.verify(bearer)
  const userId = parseUuid<UserId>(claims.subject)
  if (claims.clientId !== PERSON_APP || claims.userType !== 'person') throw refuse('auth.client_endpoint_forbidden')
  if (userId === null) throw refuse('auth.token_invalid')
  return { userId, sessionId: claims.sessionId }
}

/** Every approval is written down at home and rests there for as long as its grant. */
function takeFromPerson(needs: AuthorizeNeeds, { userId }: Bearer): Promise<Readonly<Record<string, string>>> {
  return takeFromBucket(needs, { policy: 'data', key: `user:${userId}`, quota: needs.dataQuota })
}

/** The signature says who it was; the home says whether the session still stands. */
async function identify(
  needs: AuthorizeNeeds,
  { userId, sessionId }: Bearer,
  wantsChallenge: boolean,
): Promise<Person> {
  const account = await needs.database.read((read) => findDirectoryAccount(read, userId))
  if (account === null) throw refuse('auth.token_invalid')
  const { bearer } = await needs.bus.ask(readBearerAsk, {
    to: await openParty(needs, account.region),
    body: { user_id: userId, session_id: sessionId, wants_challenge: wantsChallenge },
  })
  if (bearer?.user_type !== 'person') throw refuse('auth.token_invalid')
  const { share_code: shareCode, email, challenge } = bearer
  return { userId, home: account.region, shareCode, email, challenge }
}

function invalid(sentence: string): Error {
  return refuse('oauth.invalid_request', undefined, { sentence })
}
