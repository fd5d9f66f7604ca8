import type { ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { ChallengeId, Outcome } from '../model.ts'

export interface CardName {
  readonly accountId: UserId
  readonly id: ChallengeId
}

/** The card of a challenge on the person's devices. */
export interface Card extends CardName {
  readonly connectionId: ConnectionId
  readonly context: string | null
  readonly hasDigits: boolean
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** Null while this side knows of none; the service's side decides. */
  readonly outcome: Outcome | null
}

export interface EnrollmentName {
  readonly accountId: UserId
  readonly serviceId: ServiceId
}

export interface Enrollment extends EnrollmentName {
  readonly connectionId: ConnectionId
  readonly rev: number
  readonly isActive: boolean
  readonly enrolledAt: Instant | null
}
