import { type AccessClaims, isFirstParty, PORTAL_WEB } from '@sealpost/access-token'
import { type ClientKind, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { CallerKind, DelegateRole, Level } from '@sealpost/protocol'
import type { ClientState } from './guard/index.ts'

/** Who makes a call, once token, home and revocations have been found right. */
export interface Caller {
  readonly claims: AccessClaims
  readonly kind: CallerKind
  /** Whose data is meant: the client's company, the user itself, or the company that a delegate acts for. */
  readonly accountId: UserId
  /** Who acts: the user of the token; the company where only a client stands behind it. */
  readonly userId: UserId
  /** Null for first-party tokens. */
  readonly client: ClientState | null
  /** Of `accountId`. */
  readonly level: Level
  /** Null for everybody but delegates. */
  readonly role: DelegateRole | null
  /** The services that a delegate was let into; null for everybody else. */
  readonly services: readonly ServiceId[] | null
}

const KIND_OF_CLIENT = {
  svc: 'service_client',
  acct: 'account_client',
  idw: 'signin_app',
} as const satisfies Record<ClientKind, CallerKind>

/** What a token says of its bearer, before anything is looked up. */
export type Bearer =
  | { readonly kind: 'service_client' | 'account_client' | 'signin_app' }
  | { readonly kind: 'portal' | 'person'; readonly accountId: UserId }
  | { readonly kind: 'delegate'; readonly accountId: UserId; readonly userId: UserId }

/** First-party tokens name the app they were made for; every other client id tells its kind by its prefix. */
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
  const prefix = clientId.slice(0, clientId.indexOf('_'))
  const isClient = actingFor === null && (prefix === 'svc' || prefix === 'acct' || prefix === 'idw')
  return isClient ? { kind: KIND_OF_CLIENT[prefix] } : null
}

/** The client of a caller that passed the gates of a machine-client route. */
export function clientOf(caller: Caller): ClientState {
  if (caller.client === null) throw new Error('a route for machine clients was reached without one')
  return caller.client
}

/** Names a caller in logs and idempotency records: never one name for two accounts, nor for two users of one app. */
export function nameOfCaller({ claims, kind, accountId, userId }: Caller): string {
  switch (kind) {
    case 'service_client':
    case 'account_client':
      return claims.clientId
    case 'signin_app':
      return `${claims.clientId}/${claims.subject}`
    case 'portal':
    case 'person':
      return `user:${userId}`
    case 'delegate':
      return `user:${userId}@${accountId}`
  }
}
