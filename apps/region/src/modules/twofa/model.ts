import type { Brand, Instant } from '@sealpost/kernel'
import type { ChallengeOutcome } from '@sealpost/protocol'

export type ChallengeId = Brand<string, 'ChallengeId'>

/** The end of a challenge; final. */
export interface Outcome {
  readonly status: ChallengeOutcome
  readonly completedAt: Instant
}
