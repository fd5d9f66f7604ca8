import type { Tx } from '@sealpost/postgres'
import type { Limiter } from '@sealpost/redis'
import type { Platform } from '../../../platform/module.ts'
import type { StoredConnection } from '../../connections/index.ts'
import type { ChallengeId, Outcome } from '../model.ts'
import type { LiveChallenge, NewChallenge } from './model.ts'

export interface ServiceContext extends Platform {
  readonly messages: ServiceMessages
  readonly live: LiveChallenges
  readonly limiter: Pick<Limiter, 'take'>
}

/** The tells that this side sends, ordered by the connection; `bus/service.ts` implements it. */
export interface ServiceMessages {
  tellEnrolled(tx: Tx, connection: StoredConnection, enrolled: EnrolledAt): Promise<void>
  tellRaised(tx: Tx, connection: StoredConnection, challenge: NewChallenge, context: string | null): Promise<void>
  tellClosed(tx: Tx, connection: StoredConnection, id: ChallengeId, outcome: Outcome): Promise<void>
}

export interface EnrolledAt {
  readonly rev: number
  readonly enrolledAt: number
}

/** The challenges that can still be approved, in Redis; `store/live-challenges.ts` implements it. */
export interface LiveChallenges {
  /** The challenge that this or an earlier call with the key raised. Throws `twofa.unavailable` without Redis. */
  raise(name: LiveName, fresh: LiveChallenge): Promise<LiveChallenge>
  /** Null when Redis has lost it. Throws `twofa.unavailable` without Redis. */
  find(id: ChallengeId): Promise<LiveChallenge | null>
  /** Best effort: PostgreSQL has the outcome. */
  remove(id: ChallengeId, name: LiveName | null): Promise<void>
}

export interface LiveName {
  readonly serviceId: string
  readonly idempotencyKey: string
}
