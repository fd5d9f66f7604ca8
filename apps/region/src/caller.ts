import type { AccessClaims } from '@sealpost/access-token'
import type { ClientId, ServiceId, UserId } from '@sealpost/kernel'
import type { CallerKind, DelegateRole, Level } from '@sealpost/protocol'

/** Who makes a call, once token, home and revocations have been found right. */
export interface Caller {
  readonly claims: AccessClaims
  readonly kind: CallerKind
  /** Whose data is meant: the client's company, the user itself, or the company that a delegate acts for. */
  readonly accountId: UserId
  /** Who acts: the user of the token; the company where only a client stands behind it. */
  readonly userId: UserId
  /** Null for first-party tokens. */
  readonly client: CallingClient | null
  /** Of `accountId`. */
  readonly level: Level
  /** Null for everybody but delegates. */
  readonly role: DelegateRole | null
  /** The services that a delegate was let into; null for everybody else. */
  readonly services: readonly ServiceId[] | null
}

/** The machine client that a caller is. */
export interface CallingClient {
  readonly clientId: ClientId
  readonly companyId: UserId
  readonly serviceId: ServiceId | null
  /** Of the paths that it may reach. */
  readonly patterns: readonly string[]
}

/** The client of a caller that passed the gates of a machine-client route. */
export function clientOf(caller: Caller): CallingClient {
  if (caller.client === null) throw new Error('a route for machine clients was reached without one')
  return caller.client
}
