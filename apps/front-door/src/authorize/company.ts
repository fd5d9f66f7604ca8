import type { Secret } from '@sealpost/kernel'
import { mayAuthorizeAsk, proveLoginAsk, refuse } from '@sealpost/protocol'
import { findAddressee, openParty, takeFromAccount } from '../sessions/index.ts'
import { type CodeTerms, makeCode, openGrant, termsOf } from './issue.ts'
import type { AuthorizeNeeds } from './needs.ts'
import { answerUrl, faultUrl } from './redirects.ts'
import type { AuthorizeRequest, Fault } from './request.ts'
import { putOutcome } from './result.ts'

export interface CompanyLogin {
  readonly email: string
  readonly verifier: Secret<string>
  readonly otp: string | null
}

/** Where the browser goes next; null when the client's server will fetch the outcome itself. */
export type Outcome = string | null

const NOT_YOURS: Omit<Fault, 'to'> = {
  code: 'access_denied',
  key: 'oauth.access_denied',
  sentence: 'this user may not act for the company that the client belongs to',
}

/** A user of the client's company signs in for it. A wrong login is refused like any other; see sessions. */
export async function completeAsCompany(
  needs: AuthorizeNeeds,
  request: AuthorizeRequest,
  login: CompanyLogin,
  ip: string,
): Promise<Outcome> {
  await takeFromAddress(needs, ip)
  const { emailHash, userId, region: home } = await findAddressee(needs, login.email)
  await takeFromAccount(needs, emailHash)
  const user = await needs.bus.ask(proveLoginAsk, {
    to: await openParty(needs, home),
    body: { user_id: userId, auth_verifier: login.verifier.reveal(), otp: login.otp },
  })
  if (!(await mayAct(needs, request, userId, user.user_type))) return deny(needs, request)
  const grantId = await openGrant(needs, {
    userId,
    home,
    request,
    consent: {
      mode: request.mode,
      user_type: user.user_type,
      share_code: user.share_code,
      two_factor: false,
      proof: { credential: user.credential },
      name: user.display_name,
      email: null,
      email_verified: false,
    },
  })
  return deliver(needs, request, grantId, termsOf(needs, userId, request))
}

/** A company's account client is for its owner alone, its data clients also for whom it let into that service. */
async function mayAct(
  needs: AuthorizeNeeds,
  { client }: AuthorizeRequest,
  userId: string,
  userType: 'person' | 'company',
): Promise<boolean> {
  if (userId === client.userId) return userType === 'company'
  if (client.kind !== 'svc' || client.serviceId === null) return false
  const body = { company_id: client.userId, service_id: client.serviceId, user_id: userId }
  const { is_allowed: isAllowed } = await needs.bus.ask(mayAuthorizeAsk, {
    to: await openParty(needs, client.region),
    body,
  })
  return isAllowed
}

export async function deliver(
  needs: AuthorizeNeeds,
  request: AuthorizeRequest,
  grantId: string,
  terms: CodeTerms,
): Promise<Outcome> {
  if (request.isDetached) {
    await putOutcome(needs, request, { kind: 'approved', grant_id: grantId, payload: { ...terms } })
    return null
  }
  return answerUrl(needs.issuer, request, { code: await makeCode(needs, grantId, terms) })
}

export async function deny(needs: AuthorizeNeeds, request: AuthorizeRequest, fault = NOT_YOURS): Promise<Outcome> {
  if (!request.isDetached) return faultUrl(needs.issuer, request, fault)
  await putOutcome(needs, request, { kind: 'denied' })
  return null
}

/** The same bucket as for logins to the web apps; without Redis nobody is let through. */
async function takeFromAddress({ limiter, loginQuota }: AuthorizeNeeds, ip: string): Promise<void> {
  const bucket = { policy: 'login', key: `ip:${ip}`, quota: loginQuota, windowSeconds: 60, failClosed: true } as const
  const answer = await limiter.take([bucket])
  if (answer.outcome === 'unavailable') throw refuse('rate.unavailable')
  if (answer.outcome === 'allowed') return
  const retryAfterSeconds = Math.max(1, ...answer.states.map((state) => state.retryAfterSeconds))
  throw refuse('rate.limited', undefined, { retryAfterSeconds })
}
