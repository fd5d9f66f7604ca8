import { parseUuid, type RegionCode, type Secret, type UserId } from '@sealpost/kernel'
import { ApiError, findDelegateAsk, findSessionAsk, refreshSessionAsk, refuse } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { regionOfId } from '../../../platform/regions.ts'
import { findDirectoryAccount, openParty } from '../../directory/index.ts'
import type { Company, OpenedSession, UserType } from '../model.ts'
import { REVOCATION_MS } from './log-out.ts'
import { toSession } from './sign-session.ts'

/** Well within the ten seconds in which the home region answers a repeated cookie with the same successor. */
const REPEAT_AFTER_MS = 3000

export interface Refresh {
  readonly token: Secret<string>
  readonly userType: UserType
  /** The id of the company that a delegate wants a token for. */
  readonly actingFor: string | null
  /** The address of the call, shortened. */
  readonly network: string
}

/** A new access token and the next cookie; with `actingFor`, a token for the portal of that company. */
export async function refresh(
  platform: Platform,
  { token, userType, actingFor, network }: Refresh,
): Promise<OpenedSession> {
  const region = regionOfId(platform, token.reveal())
  if (region === null) throw refuse('session.expired')
  const to = await openParty(platform, region)
  const body = { refresh_token: token.reveal(), user_type: userType }
  // Before the cookie is rotated: a refusal could not carry the new one.
  const company = actingFor === null ? null : await findCompany(platform, region, body, actingFor)
  const reply = await askTwice((timeoutMs) =>
    platform.bus.ask(refreshSessionAsk, {
      to,
      body: { ...body, acting_region: company?.region ?? null, address: network },
      timeoutMs,
    }),
  )
  return { ...(await toSession(platform, reply, region, company)), device: null, known: null }
}

/** A company that does not exist and one that does not let this user in get the same refusal. */
async function findCompany(
  platform: Platform,
  region: RegionCode,
  session: { readonly refresh_token: string; readonly user_type: UserType },
  actingFor: string,
): Promise<Company> {
  const { bus, database } = platform
  const { user_id: userId } = await bus.ask(findSessionAsk, { to: await openParty(platform, region), body: session })
  const companyId = parseUuid<UserId>(actingFor)
  const account = companyId === null ? null : await database.read((read) => findDirectoryAccount(read, companyId))
  if (account?.userType !== 'company') throw notDelegated()
  const { is_delegate: isDelegate } = await bus.ask(findDelegateAsk, {
    to: await openParty(platform, account.region),
    body: { company_id: account.userId, user_id: userId },
  })
  if (!isDelegate) throw notDelegated()
  return { id: account.userId, region: account.region }
}

function notDelegated(): Error {
  const message = 'is no company that lets this user in'
  return refuse('request.invalid', { details: [{ path: '/acting_for', message }] })
}

/** A region process that dies with the answer must not cost the session: a repeated ask gets the same successor. */
async function askTwice<Reply>(ask: (timeoutMs: number) => Promise<Reply>): Promise<Reply> {
  try {
    return await ask(REPEAT_AFTER_MS)
  } catch (error) {
    if (!(error instanceof ApiError) || error.key !== 'region.unreachable') throw error
    return ask(REVOCATION_MS - REPEAT_AFTER_MS)
  }
}
