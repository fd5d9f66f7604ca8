import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { ChallengeId, Outcome } from '../model.ts'

export interface ChallengeName {
  readonly serviceId: ServiceId
  readonly id: ChallengeId
}

export interface PairName {
  readonly serviceId: ServiceId
  readonly customerId: UserId
}

export interface Enrollment extends PairName {
  readonly companyId: UserId
  readonly connectionId: ConnectionId
  readonly shareCode: string
  readonly rev: number
  readonly isActive: boolean
  readonly enrolledAt: Instant
  readonly mutedUntil: Instant | null
}

export interface NewChallenge extends ChallengeName, PairName {
  readonly companyId: UserId
  readonly connectionId: ConnectionId
  readonly shareCode: string | null
  readonly hasDigits: boolean
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export interface Challenge extends NewChallenge {
  readonly wrongDigits: number
  /** Null while no outcome is stored; past `expiresAt` the next reader stores `expired`. */
  readonly outcome: Outcome | null
  readonly consumedAt: Instant | null
}

/** What Redis holds of a challenge until it expires. */
export interface LiveChallenge {
  readonly id: ChallengeId
  readonly digits: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** A digest of the call that raised it. */
  readonly fingerprint: string
}
