import type { AccessClaims } from '@sealpost/access-token'
import { bindRoute, type Gates, type HttpServer } from '@sealpost/http'
import { parseClientId } from '@sealpost/kernel'
import { readUserInfo, readUserInfoAsk, refuse, type UserInfo } from '@sealpost/protocol'
import { findClient } from '../directory/index.ts'
import { type GrantAdapterNeeds, openRegion, regionOf } from '../oauth/grant-adapter.ts'

/**
 * Userinfo at the front door, which discovery names. A region would judge the token by what it knows of client and grant;
 * here the directory knows the client's epoch, and the person's home whether the grant still stands.
 */
export function bindUserInfo(server: HttpServer, gates: Gates<AccessClaims>, needs: GrantAdapterNeeds): void {
  const served: Gates<AccessClaims> = {
    ...gates,
    checkHome() {},
    checkAccess(_call, { clientId }) {
      if (!clientId.startsWith('idw_')) throw refuse('auth.client_endpoint_forbidden')
    },
  }
  bindRoute(server, served, { operation: readUserInfo, handle: ({ caller }) => tell(needs, caller) })
}

async function tell(needs: GrantAdapterNeeds, claims: AccessClaims): Promise<UserInfo> {
  const clientId = parseClientId(claims.clientId)
  const client = clientId === null ? null : await needs.database.read((read) => findClient(read, clientId))
  const home = regionOf(needs.regions, claims.sessionId)
  if (client?.epoch !== claims.epoch || home === null) throw refuse('auth.token_invalid')
  const body = { grant_id: claims.sessionId, client_id: claims.clientId }
  const { info } = await needs.bus.ask(readUserInfoAsk, { to: await openRegion(needs, home), body })
  if (info === null) throw refuse('auth.token_invalid')
  return info
}
