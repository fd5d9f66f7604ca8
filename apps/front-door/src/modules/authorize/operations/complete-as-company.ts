import { addressName } from '@sealpost/http'
import type { RegionCode, UserId } from '@sealpost/kernel'
import { mayAuthorizeAsk, proveLoginAsk } from '@sealpost/protocol'
import { bucketsOfAddress, requireFromBuckets } from '../../../platform/limits.ts'
import { findAddressee, openParty } from '../../directory/index.ts'
import { commandOf } from '../../oauth/index.ts'
import { countFailures } from '../../sessions/index.ts'
import type { AnyClient, Authorize, AuthorizeRequest, CompanyLogin, Destination, Fault } from '../model.ts'
import { deliver, deny } from './deliver-outcome.ts'
import { openGrant, termsOf } from './issue-code.ts'

const NOT_YOURS: Omit<Fault, 'to'> = {
  code: 'access_denied',
  key: 'oauth.access_denied',
  sentence: 'this user may not act for the company that the client belongs to',
}

/** A user of the client's company signs in for it. A wrong login gets the same refusal as at the session routes. */
export async function completeAsCompany(
  context: Authorize,
  asked: AuthorizeRequest<AnyClient>,
  login: CompanyLogin,
  ip: string,
): Promise<Destination> {
  // The same bucket as for logins to the web apps.
  const quota = context.settings.RATE_LOGIN_IP
  await requireFromBuckets(context, bucketsOfAddress('login', ip, quota))
  const addressee = await findAddressee(context, login.email)
  const { userId, region: home } = addressee
  // The cookies of known devices are for the session routes only.
  const user = await countFailures(context, addressee, { address: addressName(ip), knownDevices: [] }, async () =>
    context.bus.ask(proveLoginAsk, {
      to: await openParty(context, home),
      body: { user_id: userId, auth_verifier: login.verifier.reveal(), otp: login.otp },
    }),
  )
  const request = requestOf(asked, userId, home)
  if (!(await mayAct(context, request, userId, user.user_type))) return deny(context, request, NOT_YOURS)
  const grantId = await openGrant(context, {
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
  return deliver(context, request, grantId, termsOf(context, userId, request))
}

/** The command acts for the company whose user signs in. */
function requestOf(asked: AuthorizeRequest<AnyClient>, userId: UserId, home: RegionCode): AuthorizeRequest {
  const { client } = asked
  return { ...asked, client: client.kind === 'command' ? commandOf(userId, home) : client }
}

/** The owner may use every client of the company; a delegate the data client of a service that includes the delegate. */
async function mayAct(
  context: Authorize,
  { client }: AuthorizeRequest,
  userId: string,
  userType: 'person' | 'company',
): Promise<boolean> {
  if (userId === client.userId) return userType === 'company'
  if (client.kind !== 'svc' || client.serviceId === null) return false
  const body = { company_id: client.userId, service_id: client.serviceId, user_id: userId }
  const to = await openParty(context, client.region)
  const { is_allowed: isAllowed } = await context.bus.ask(mayAuthorizeAsk, { to, body })
  return isAllowed
}
