import { parseUuid, type RegionCode, Secret, type UserId } from '@sealpost/kernel'
import {
  ApiError,
  closeSessionAsk,
  findDelegateAsk,
  findSessionAsk,
  openSessionAsk,
  refreshSessionAsk,
  refuse,
} from '@sealpost/protocol'
import { findDirectoryAccount } from '../directory/index.ts'
import { ACCESS_TOKEN_SECONDS } from '../oauth/access-token-signer.ts'
import type { UserType } from './cookies.ts'
import { takeFromAccount } from './guards.ts'
import { apiUrlOf, findAddressee, openParty, regionOfToken } from './homes.ts'
import type { SessionNeeds } from './needs.ts'

export interface Login {
  readonly email: string
  readonly verifier: Secret<string>
  readonly otp: string | null
  readonly trustDevice: boolean
  readonly deviceTokens: readonly Secret<string>[]
  readonly deviceName: string
}

export interface TokenAnswer {
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly access_token: string
  readonly api_url: string
}

interface Kept {
  readonly token: Secret<string>
  readonly seconds: number
}

export interface Opened {
  readonly userType: UserType
  readonly answer: TokenAnswer
  readonly refresh: Kept
  readonly device: Kept | null
}

/** The home decides; an address that nobody has is asked about all the same, see [Note: pretended accounts]. */
export async function logIn(needs: SessionNeeds, login: Login): Promise<Opened> {
  const { emailHash, userId, region } = await findAddressee(needs, login.email)
  await takeFromAccount(needs, emailHash)
  const reply = await needs.bus.ask(openSessionAsk, {
    to: await openParty(needs, region),
    body: {
      user_id: userId,
      auth_verifier: login.verifier.reveal(),
      otp: login.otp,
      device_tokens: login.deviceTokens.map((token) => token.reveal()),
      trust_device: login.trustDevice,
      device_name: login.deviceName,
    },
  })
  const device =
    reply.device_token === null ? null : { token: new Secret(reply.device_token), seconds: reply.device_seconds }
  return { ...(await openedBy(needs, reply, region, null)), device }
}

/** A new access token and the next cookie; with `actingFor`, a token for the portal of that company. */
export async function refresh(
  needs: SessionNeeds,
  token: Secret<string>,
  userType: UserType,
  actingFor: string | null,
): Promise<Opened> {
  const region = regionOfToken(needs, token.reveal())
  if (region === null) throw refuse('session.expired')
  const to = await openParty(needs, region)
  const body = { refresh_token: token.reveal(), user_type: userType }
  // The cookie is rotated last: a refusal could not carry the new one.
  const company = actingFor === null ? null : await findCompany(needs, region, body, actingFor)
  const reply = await askTwice((timeoutMs) =>
    needs.bus.ask(refreshSessionAsk, { to, body: { ...body, acting_region: company?.region ?? null }, timeoutMs }),
  )
  return { ...(await openedBy(needs, reply, region, company)), device: null }
}

/** Resolves once no token of the session works any more; whatever goes wrong before that rejects. */
export async function logOut(needs: SessionNeeds, token: Secret<string>, userType: UserType): Promise<void> {
  const region = regionOfToken(needs, token.reveal())
  if (region === null) return
  const body = { refresh_token: token.reveal(), user_type: userType }
  await needs.bus.ask(closeSessionAsk, { to: await openParty(needs, region), body, timeoutMs: REVOCATION_MS })
}

/** A process of the region that has just died holds its lease for a few seconds, and other regions may have to hear. */
const REVOCATION_MS = 10_000
/** Well within the ten seconds in which a repeated cookie is answered with the same successor. */
const REPEAT_AFTER_MS = 3000

interface Company {
  readonly id: UserId
  readonly region: RegionCode
}

/** A company that does not exist and one that does not let this user in are refused alike. */
async function findCompany(
  needs: SessionNeeds,
  region: RegionCode,
  session: { readonly refresh_token: string; readonly user_type: UserType },
  actingFor: string,
): Promise<Company> {
  const { user_id: userId } = await needs.bus.ask(findSessionAsk, {
    to: await openParty(needs, region),
    body: session,
  })
  const companyId = parseUuid<UserId>(actingFor)
  const account = companyId === null ? null : await needs.database.read((read) => findDirectoryAccount(read, companyId))
  if (account?.userType !== 'company') throw notDelegated()
  const { is_delegate: isDelegate } = await needs.bus.ask(findDelegateAsk, {
    to: await openParty(needs, account.region),
    body: { company_id: account.userId, user_id: userId },
  })
  if (!isDelegate) throw notDelegated()
  return { id: account.userId, region: account.region }
}

function notDelegated(): Error {
  const message = 'is no company that lets this user in'
  return refuse('request.invalid', { details: [{ path: '/acting_for', message }] })
}

interface SessionReply {
  readonly user_id: string
  readonly user_type: UserType
  readonly session_id: string
  readonly refresh_token: string
  readonly refresh_seconds: number
}

async function openedBy(
  needs: SessionNeeds,
  reply: SessionReply,
  home: RegionCode,
  company: Company | null,
): Promise<Omit<Opened, 'device'>> {
  const region = company?.region ?? home
  const isPortal = company !== null || reply.user_type === 'company'
  const accessToken = await needs.signer.sign({
    subject: reply.user_id,
    clientId: isPortal ? 'portal_web' : 'person_app',
    region,
    userType: reply.user_type,
    epoch: 0,
    sessionId: reply.session_id,
    ...(company === null ? {} : { actingFor: company.id }),
  })
  return {
    userType: reply.user_type,
    answer: {
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      access_token: accessToken,
      api_url: apiUrlOf(needs, region),
    },
    refresh: { token: new Secret(reply.refresh_token), seconds: reply.refresh_seconds },
  }
}

/** A process that died with the answer must not cost the session: asked again in time, the same successor is answered. */
async function askTwice<Reply>(ask: (timeoutMs: number) => Promise<Reply>): Promise<Reply> {
  try {
    return await ask(REPEAT_AFTER_MS)
  } catch (error) {
    if (!(error instanceof ApiError) || error.key !== 'region.unreachable') throw error
    return ask(REVOCATION_MS - REPEAT_AFTER_MS)
  }
}
