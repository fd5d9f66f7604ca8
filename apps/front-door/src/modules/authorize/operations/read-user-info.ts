import type { AccessClaims } from '@sealpost/access-token'
import { parseClientId } from '@sealpost/kernel'
import { readUserInfoAsk, refuse, type UserInfo } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import { regionOfId } from '../../../platform/regions.ts'
import { findClient, openParty } from '../../directory/index.ts'

/** Checks the token without a region's guard: the directory has the client's epoch, the person's home has the grant. */
export async function readInfo(platform: Platform, claims: AccessClaims): Promise<UserInfo> {
  const { bus, database } = platform
  const clientId = parseClientId(claims.clientId)
  const client = clientId === null ? null : await database.read((read) => findClient(read, clientId))
  const home = regionOfId(platform, claims.sessionId)
  if (client?.epoch !== claims.epoch || home === null) throw refuse('auth.token_invalid')
  const body = { grant_id: claims.sessionId, client_id: claims.clientId }
  const { info } = await bus.ask(readUserInfoAsk, { to: await openParty(platform, home), body })
  if (info === null) throw refuse('auth.token_invalid')
  return info
}
