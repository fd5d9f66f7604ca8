import { createHash } from 'node:crypto'
import type { AccessClaims } from '@sealpost/access-token'
import type { Call } from '@sealpost/http'
import type { ClientId, ServiceId, UserId } from '@sealpost/kernel'
import type { CallerKind, DelegateRole, Level } from '@sealpost/protocol'

/** The caller of a request whose token, home and revocations are checked. */
export interface Caller {
  readonly claims: AccessClaims
  readonly kind: CallerKind
  /** The owner of the data: the client's company, the user itself, or the company that a delegate acts for. */
  readonly accountId: UserId
  /** The user of the token; for a client without a user, its company. */
  readonly userId: UserId
  /** Null for first-party tokens. */
  readonly client: CallingClient | null
  /** The level of `accountId`. */
  readonly level: Level
  /** Null except for delegates. */
  readonly role: DelegateRole | null
  /** The services that a delegate has access to; null for other callers. */
  readonly services: readonly ServiceId[] | null
}

/** The machine client of a call. */
export interface CallingClient {
  readonly clientId: ClientId
  readonly companyId: UserId
  readonly serviceId: ServiceId | null
  /** Patterns of the paths that it may reach. */
  readonly patterns: readonly string[]
}

/** For routes that only machine clients reach. */
export function clientOf(caller: Caller): CallingClient {
  if (caller.client === null) throw new Error('a route for machine clients has no client')
  return caller.client
}

/** A digest of caller, path and Idempotency-Key, equal for repetitions of a call only; null without a key. */
export function markOf(
  { client, userId }: Pick<Caller, 'client' | 'userId'>,
  { path, idempotencyKey }: Pick<Call, 'path' | 'idempotencyKey'>,
): string | null {
  if (idempotencyKey === null) return null
  return createHash('sha256')
    .update(JSON.stringify([client?.clientId ?? userId, path, idempotencyKey]))
    .digest('hex')
}
