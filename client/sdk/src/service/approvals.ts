import { isSealpostError, NetworkError, UnexpectedAnswerError } from '../errors.ts'
import type { CallOptions } from '../options.ts'
import { pollChallenge, raiseChallenge } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { PollChallengeAnswer, RaiseChallengeAnswer, RaiseChallengeBody } from '../shapes.generated.ts'
import type { Wire } from '../wire.ts'

/** A login of your own that a connected person approves in their app. */
export interface LoginToApprove {
  /** Of the person who is logging in; the person must have enrolled for the service. */
  readonly shareCode: string
  /** One per login attempt, 1 to 64 characters: the program may run again with it and raises no second card. */
  readonly idempotencyKey: string
  /** The text of the card: what is logged in to, and from where. At most 200 characters. */
  readonly context?: string | null
  /** Called after the challenge was raised, and after every poll without an outcome. */
  readonly onProgress?: (progress: ApprovalProgress) => void
  /** Between two polls; 2 by default. */
  readonly pollSeconds?: number
}

export type ApprovalProgress =
  /** Show `matchingDigits` on the login page, if there are any: the person types them to approve. */
  | {
      readonly kind: 'raised'
      readonly challengeId: string
      readonly expiresAt: string
      readonly matchingDigits: string | null
    }
  | { readonly kind: 'pending' }
  /** The poll had no answer that is an outcome, for example a 503. */
  | { readonly kind: 'no_answer' }

export type LoginApproval =
  | { readonly isApproved: true; readonly challengeId: string; readonly completedAt: string }
  /** `unclear`: the outcome is not known for certain, so the login is refused. Raise a new challenge for a new attempt. */
  | {
      readonly isApproved: false
      readonly challengeId: string
      readonly reason: 'denied' | 'expired' | 'revoked' | 'unclear'
    }

const POLL_SECONDS = 2
/** A clock that is ahead of the platform's must not end the wait before the first polls. */
const SHORTEST_WAIT_MS = 30_000

/** Approval of logins by connected persons. */
export class Approvals {
  readonly #send: Send
  readonly #wire: Pick<Wire, 'now' | 'wait'>

  constructor(send: Send, wire: Pick<Wire, 'now' | 'wait'>) {
    this.#send = send
    this.#wire = wire
  }

  /** Its own key makes it safe to repeat. A person with too many open challenges is an error that is not retried. */
  raise(challenge: RaiseChallengeBody, options?: CallOptions): Promise<RaiseChallengeAnswer> {
    return this.#send({ ...raiseChallenge, repeatable: true }, { body: challenge }, options)
  }

  /** The first read of an outcome consumes it. Prefer `approveLogin`. */
  poll(challengeId: string, options?: CallOptions): Promise<PollChallengeAnswer> {
    return this.#send(pollChallenge, { params: { challenge_id: challengeId } }, options)
  }

  /**
   * Raises a challenge and waits for the person. Grants on one thing only: an `approved` that this call was the one to
   * read. An answer that is no outcome is asked for again until the challenge has expired. A refusal of the challenge
   * itself (`twofa.person_not_found`, `twofa.pending_cap`, …) and an abort are thrown.
   */
  async approveLogin(login: LoginToApprove, options: CallOptions = {}): Promise<LoginApproval> {
    const { shareCode, idempotencyKey, context = null, onProgress, pollSeconds = POLL_SECONDS } = login
    const body = { share_code: shareCode, idempotency_key: idempotencyKey, context }
    const raised = await this.raise(body, options)
    const { challenge_id: challengeId, expires_at: expiresAt, matching_digits: matchingDigits = null } = raised
    onProgress?.({ kind: 'raised', challengeId, expiresAt, matchingDigits })
    const end = Math.max(Date.parse(expiresAt) || 0, this.#wire.now() + SHORTEST_WAIT_MS)
    for (;;) {
      const isLast = this.#wire.now() >= end
      const read = await this.#read(challengeId, options)
      if (typeof read === 'object') return read
      onProgress?.({ kind: read })
      if (isLast) return { isApproved: false, challengeId, reason: 'unclear' }
      await this.#wire.wait(pollSeconds * 1000, options.signal)
    }
  }

  async #read(challengeId: string, options: CallOptions): Promise<LoginApproval | 'pending' | 'no_answer'> {
    const refused = (reason: 'denied' | 'expired' | 'revoked' | 'unclear') =>
      ({ isApproved: false, challengeId, reason }) as const
    try {
      const { status, completed_at: completedAt } = await this.poll(challengeId, options)
      if (status === 'pending') return 'pending'
      if (status === 'approved') {
        return completedAt === undefined ? refused('unclear') : { isApproved: true, challengeId, completedAt }
      }
      // A newer platform may know further outcomes: none of them is an approval.
      return refused(status === 'denied' || status === 'expired' || status === 'revoked' ? status : 'unclear')
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof NetworkError) return 'no_answer'
      const isKnown = isSealpostError(error) || error instanceof UnexpectedAnswerError
      if (isKnown && (error.status >= 500 || error.status === 429)) return 'no_answer'
      // 410: another reader has the outcome, or the answer to this one was lost.
      if (isSealpostError(error, 'twofa.result_consumed') || isSealpostError(error, 'twofa.challenge_not_found')) {
        return refused('unclear')
      }
      throw error
    }
  }
}
