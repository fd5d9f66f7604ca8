import { PERSON_APP, PORTAL_WEB } from '@sealpost/access-token'
import { type RegionCode, Secret } from '@sealpost/kernel'
import { ACCESS_TOKEN_SECONDS } from '../../../platform/access-token-signer.ts'
import type { Platform } from '../../../platform/module.ts'
import { requireRegion } from '../../../platform/regions.ts'
import type { Company, OpenedSession, UserType } from '../model.ts'

/** How the home region answers a login or a refresh. */
interface SessionReply {
  readonly user_id: string
  readonly user_type: UserType
  readonly session_id: string
  readonly refresh_token: string
  readonly refresh_seconds: number
}

/** Signs the access token of a session: for the user's home, or for the company that a delegate acts for. */
export async function toSession(
  platform: Platform,
  reply: SessionReply,
  home: RegionCode,
  company: Company | null,
): Promise<Omit<OpenedSession, 'device' | 'known'>> {
  const region = company?.region ?? home
  const isPortal = company !== null || reply.user_type === 'company'
  const accessToken = await platform.signer.sign({
    subject: reply.user_id,
    clientId: isPortal ? PORTAL_WEB : PERSON_APP,
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
      api_url: requireRegion(platform, region).apiUrl,
    },
    refresh: { token: new Secret(reply.refresh_token), seconds: reply.refresh_seconds },
  }
}
