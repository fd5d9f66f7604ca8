import { type AccessClaims, isCommand, isFirstParty, PORTAL_WEB } from '@sealpost/access-token'
import { type ClientKind, parseUuid, type UserId } from '@sealpost/kernel'
import type { CallerKind } from '@sealpost/protocol'

const KIND_OF_CLIENT = {
  svc: 'service_client',
  acct: 'account_client',
  idw: 'signin_app',
} as const satisfies Record<ClientKind, CallerKind>

/** The bearer according to the token alone. */
export type Bearer =
  | { readonly kind: 'service_client' | 'account_client' | 'signin_app' }
  | { readonly kind: 'portal' | 'person' | 'command'; readonly accountId: UserId }
  | { readonly kind: 'delegate'; readonly accountId: UserId; readonly userId: UserId }

/** A first-party token names its program; the prefix of any other client id gives its kind. */
export function bearerOf(claims: AccessClaims): Bearer | null {
  const { clientId, actingFor, userType } = claims
  if (isFirstParty(claims)) {
    const isPortal = clientId === PORTAL_WEB
    const userId = parseUuid<UserId>(claims.subject)
    if (userId === null) return null
    if (actingFor !== null) return isPortal ? { kind: 'delegate', accountId: actingFor, userId } : null
    if (userType !== (isPortal ? 'company' : 'person')) return null
    return { kind: isPortal ? 'portal' : 'person', accountId: userId }
  }
  if (isCommand(claims)) {
    const accountId = parseUuid<UserId>(claims.subject)
    return accountId === null || actingFor !== null || userType !== 'company' ? null : { kind: 'command', accountId }
  }
  const prefix = clientId.slice(0, clientId.indexOf('_'))
  const isClient = actingFor === null && (prefix === 'svc' || prefix === 'acct' || prefix === 'idw')
  return isClient ? { kind: KIND_OF_CLIENT[prefix] } : null
}
