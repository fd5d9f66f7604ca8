import type { Instant, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { AnswerReply, ChallengeAnswer } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { KnownConnection } from '../../connections/index.ts'
import type { LoginContext } from '../../login/index.ts'
import type { ChallengeId } from '../model.ts'

export interface CustomerContext extends Platform {
  readonly login: LoginContext
  readonly messages: CustomerMessages
  readonly hooks: TwofaHooks
}

/** Calls to the modules above, in the transaction of the change. */
export interface TwofaHooks {
  /** The devices of the account have something to read again. */
  hint(tx: Tx, hint: ChallengeHint): Promise<void>
}

export interface ChallengeHint {
  readonly accountId: UserId
  readonly kind: 'challenge_raised' | 'challenge_closed'
  readonly id: ChallengeId
  /** Devices that were away are not woken for a card that can't be answered any more. */
  readonly expiresAt?: Instant
}

type Connection = KnownConnection['connection']

/** The asks and tells that this side sends; `bus/customer.ts` implements it. An ask throws while the region is away. */
export interface CustomerMessages {
  askToEnroll(connection: Connection, rev: number): Promise<EnrollReply>
  askToRevoke(connection: Connection, rev: number): Promise<void>
  tellRevoked(tx: Tx, connection: Connection, rev: number): Promise<void>
  askToAnswer(
    connection: Connection,
    id: ChallengeId,
    answer: ChallengeAnswer,
    digits: string | null,
  ): Promise<AnswerReply>
}

export type EnrollReply =
  | { readonly outcome: 'enrolled'; readonly enrolledAt: number }
  | { readonly outcome: 'not_connected' | 'level_required' }
