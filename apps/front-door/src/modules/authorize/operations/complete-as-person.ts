import type { Call } from '@sealpost/http'
import {
  type Decision as FieldDecision,
  type DeviceAssertion,
  refuse,
  shareValuesAsk,
  verifyAssertionAsk,
} from '@sealpost/protocol'
import { openParty } from '../../directory/index.ts'
import type { Authorize, AuthorizeRequest, Destination, Fault } from '../model.ts'
import { textOf, validateAnswers } from '../rules/claims.ts'
import { consentWithService } from './consent-with-service.ts'
import { deliver, deliverEnrolled, deny } from './deliver-outcome.ts'
import { identifyPerson, type Person, readBearer, takeFromPerson } from './identify-person.ts'
import { openGrant, termsOf } from './issue-code.ts'
import { invalidRequest, readApp, type RequestedApp, requireForPersons } from './read-app.ts'

/** The decision as the person app sends it. */
export interface Decision {
  readonly decision: 'approve' | 'deny'
  readonly values?: Readonly<Record<string, string>>
  readonly values_attestation?: Readonly<Record<string, string>>
  readonly id_claims?: { readonly name?: string; readonly email?: string }
  readonly decisions?: readonly FieldDecision[]
  readonly device_record?: string
  readonly assertion_challenge?: string
  readonly assertion?: DeviceAssertion
}

const DENIED: Omit<Fault, 'to'> = {
  code: 'access_denied',
  key: 'oauth.access_denied',
  sentence: 'the person refused',
}

export async function completeAsPerson(
  context: Authorize,
  call: Call,
  request: AuthorizeRequest,
  decision: Decision,
): Promise<Destination> {
  const bearer = await readBearer(context, call)
  await takeFromPerson(context, bearer)
  requireForPersons(request)
  const person = await identifyPerson(context, bearer, false)
  const requested = await readApp(context, request)
  if (decision.decision === 'deny') return deny(context, request, DENIED)
  const { values = {}, values_attestation: attestation = {} } = decision
  const isPlain = requested.app.claims_delivery === 'plaintext' && request.mode === 'signin'
  const problem = validateAnswers(requested.claims, { values, attestation, isPlain })
  if (problem !== null) throw invalidRequest(problem)
  const hasSecondFactor = await verifyAssertion(context, person, requested, decision)
  const { decisions = null, device_record: deviceRecord = null } = decision
  await consentWithService(context, request, requested, person, { bearer, decisions, deviceRecord, hasSecondFactor })
  if (request.mode === '2fa_enroll') return deliverEnrolled(context, request)
  const grantId = await openGrant(context, {
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
  await context.bus.ask(shareValuesAsk, {
    to: await openParty(context, person.home),
    body: {
      grant_id: grantId,
      values: isPlain ? {} : { ...values },
      values_attestation: { ...attestation },
      ...(isPlain ? { claims: { ...values } } : {}),
    },
  })
  return deliver(context, request, grantId, termsOf(context, person.userId, request))
}

/**
 * Name and address of the ID token: as the person app sends them, else the values of the claims with these names. An
 * address counts as verified when it is the account's own, which was confirmed by mail.
 */
function idClaims({ email: own }: Person, isPlain: boolean, { id_claims: given = {}, values = {} }: Decision) {
  if (!isPlain) return { name: null, email: null, email_verified: false }
  const name = given.name ?? textOf(values, 'name') ?? null
  const email = given.email ?? textOf(values, 'email') ?? null
  return { name, email, email_verified: email === own }
}

async function verifyAssertion(
  context: Authorize,
  { userId, home, hasSecondFactor }: Person,
  { app, needsAssertion }: RequestedApp,
  { assertion, assertion_challenge: challenge }: Decision,
): Promise<boolean> {
  if (assertion === undefined || challenge === undefined) {
    if (!needsAssertion) {
      if (app.require_2fa && !hasSecondFactor) throw refuse('services.second_factor_required')
      return hasSecondFactor
    }
    throw invalidRequest('this app requires a second factor: sign `assertion_challenge` with a device')
  }
  const { is_verified: isVerified } = await context.bus.ask(verifyAssertionAsk, {
    to: await openParty(context, home),
    body: { user_id: userId, challenge, assertion },
  })
  if (isVerified) return true
  throw invalidRequest('the assertion is not by a device of this person, or its challenge has expired')
}
