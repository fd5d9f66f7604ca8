import type { Secret, ServiceId, UserId } from '@sealpost/kernel'
import { isSessionRevoked } from '../../access/index.ts'
import { findAccount, findDelegate } from '../../account/index.ts'
import { findSigninApp } from '../../clients/index.ts'
import { hasConfirmedSession, issueChallenge, nameOfCredential, proveLogin } from '../../login/index.ts'
import { findService } from '../../services/index.ts'
import type { GrantsContext } from '../context.ts'
import type { AppName } from '../model.ts'

/** Checks verifier and one-time code as the session routes do, and throws their refusals. */
export async function proveUser(
  { login }: GrantsContext,
  proof: { readonly userId: UserId; readonly verifier: Secret<string>; readonly otp: string | null },
) {
  const { account, credential } = await proveLogin(login, { ...proof, deviceTokens: [] })
  return {
    user_type: account.userType,
    share_code: account.shareCode,
    display_name: account.displayName,
    credential: nameOfCredential(credential),
  }
}

/** True for the company itself and for its delegates of this service. */
export async function mayAuthorize(
  { database }: GrantsContext,
  companyId: UserId,
  serviceId: ServiceId,
  userId: UserId,
): Promise<boolean> {
  if (userId === companyId) return true
  const delegate = await database.read((read) => findDelegate(read, companyId, userId))
  return delegate?.services.includes(serviceId) ?? false
}

/** The members of a client that the consent page presents; null when the company has no such client. */
export async function readApp({ database }: GrantsContext, { companyId, clientId, serviceId }: AppName) {
  const [app, company] = await database.read(async (read) => [
    await findSigninApp(read, companyId, clientId),
    await findAccount(read, companyId),
  ])
  const named = app === null ? serviceId : app.client.serviceId
  const service = named === null ? null : await database.read((read) => findService(read, companyId, named))
  const name = app?.client.name ?? service?.name
  if (company === null || name === undefined) return null
  return {
    name,
    company_name: company.displayName,
    require_2fa: app?.settings.requireTwoFactor ?? false,
    public_key: app?.settings.publicKey ?? null,
    claims_delivery: app?.settings.claimsDelivery ?? ('encrypted' as const),
    claims: [...(app?.settings.claims ?? [])],
    service: service === null ? null : { id: service.id, name: service.name, require_2fa: service.require2fa },
  }
}

/** Null when the session was revoked: a token at the front door is checked like one of a call to the region. */
export async function readBearer(
  { database, login }: GrantsContext,
  userId: UserId,
  sessionId: string,
  wantsChallenge: boolean,
) {
  const account = await database.read(async (read) =>
    (await isSessionRevoked(read, sessionId)) ? null : findAccount(read, userId),
  )
  if (account === null) return null
  const challenge = wantsChallenge ? (await issueChallenge(login, userId, 'approval')).challenge : null
  return {
    user_type: account.userType,
    share_code: account.shareCode,
    email: account.email,
    challenge,
    has_second_factor: await hasConfirmedSession(login, userId, sessionId),
  }
}
