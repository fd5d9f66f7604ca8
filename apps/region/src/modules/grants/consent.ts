import type { Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { DeviceAssertion } from '@sealpost/protocol'
import { isSessionRevoked } from '../access/index.ts'
import { type Account, findAccount, findDelegate } from '../account/index.ts'
import { findSigninApp } from '../clients/index.ts'

export interface ConsentNeeds {
  readonly database: Database
  /** Judges a login by verifier and one-time code, as the session routes do; throws their refusals. */
  proveLogin(login: ProvenLogin): Promise<{ readonly account: Account; readonly credential: string }>
  findService(companyId: UserId, serviceId: ServiceId): Promise<{ readonly id: string; readonly name: string } | null>
  readonly approvals: Approvals
}

export interface ProvenLogin {
  readonly userId: UserId
  readonly verifier: Secret<string>
  readonly otp: string | null
}

/** A second factor: a device of the person signs a challenge, which is good once. */
export interface Approvals {
  issue(userId: UserId): Promise<string>
  verify(userId: UserId, challenge: string, assertion: DeviceAssertion): Promise<boolean>
}

export async function proveLogin(
  needs: ConsentNeeds,
  userId: UserId,
  verifier: Secret<string>,
  otp: string | null,
): Promise<{ user_type: Account['userType']; share_code: string; display_name: string; credential: string }> {
  const { account, credential } = await needs.proveLogin({ userId, verifier, otp })
  return { user_type: account.userType, share_code: account.shareCode, display_name: account.displayName, credential }
}

/** The company itself, and whom it let into this service. */
export async function mayAuthorize(
  { database }: ConsentNeeds,
  companyId: UserId,
  serviceId: ServiceId,
  userId: UserId,
): Promise<boolean> {
  if (userId === companyId) return true
  const delegate = await database.read((read) => findDelegate(read, companyId, userId))
  return delegate?.services.includes(serviceId) ?? false
}

export interface AppName {
  readonly companyId: UserId
  readonly clientId: string
  /** Of a data client, which shows itself as its service. */
  readonly serviceId: ServiceId | null
}

/** How a client presents itself to a person; null when the company has no such client. */
export async function readApp(needs: ConsentNeeds, { companyId, clientId, serviceId }: AppName) {
  const [app, company] = await needs.database.read(async (read) => [
    await findSigninApp(read, companyId, clientId),
    await findAccount(read, companyId),
  ])
  const shownService = app === null ? serviceId : app.client.serviceId
  const service = shownService === null ? null : await needs.findService(companyId, shownService)
  const name = app?.client.name ?? service?.name
  if (company === null || name === undefined) return null
  return {
    name,
    company_name: company.displayName,
    require_2fa: app?.settings.requireTwoFactor ?? false,
    public_key: app?.settings.publicKey ?? null,
    claims_delivery: app?.settings.claimsDelivery ?? ('encrypted' as const),
    claims: [...(app?.settings.claims ?? [])],
    service,
  }
}

/** Null when the session was revoked: a token that the front door sees is checked here as every call at home is. */
export async function readBearer(needs: ConsentNeeds, userId: UserId, sessionId: string, wantsChallenge: boolean) {
  const account = await needs.database.read(async (read) =>
    (await isSessionRevoked(read, sessionId)) ? null : findAccount(read, userId),
  )
  if (account === null) return null
  const challenge = wantsChallenge ? await needs.approvals.issue(userId) : null
  return { user_type: account.userType, share_code: account.shareCode, email: account.email, challenge }
}
