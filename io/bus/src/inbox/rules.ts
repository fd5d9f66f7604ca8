import type { Instant } from '@sealpost/kernel'
import type { InboxLane } from '../store/inbox.ts'
import type { CarriedTell } from '../wire.ts'

export type Verdict =
  | { readonly action: 'apply' }
  /** Already applied: confirm again, the first notice may have been lost. */
  | { readonly action: 'repeat confirmation' }
  /** Tells in between are missing: ask for them. */
  | { readonly action: 'ask for resend' }
  /** The lane's head fails and its retry is not due yet. */
  | { readonly action: 'wait'; readonly retryAfterMs: number }
  /** From or for an earlier incarnation, or a held link: the sender resends when it is due. */
  | { readonly action: 'ignore'; readonly reason: string }
  /** The sender's database does not continue the history that this one has applied. */
  | { readonly action: 'hold link'; readonly reason: string }

type Head = Pick<CarriedTell, 'fromLife' | 'toLife' | 'incarnation' | 'seq' | 'id' | 'previousId'>

/**
 * Decides what to do with a tell, given the lane under its lock. A number alone does not prove that a tell is the one
 * we applied: a database restored without raising its incarnation gives the same numbers out twice. The ids are
 * compared too, so that such a tell is not mistaken for a duplicate.
 */
export function decideTell(lane: InboxLane, tell: Head, now: Instant): Verdict {
  if (tell.fromLife !== lane.sourceLife)
    return { action: 'ignore', reason: 'sent by another incarnation of the source' }
  if (tell.toLife !== lane.ownLife) return { action: 'ignore', reason: 'sent to another incarnation of this party' }
  if (lane.isHeld) return { action: 'ignore', reason: 'the link is held' }
  if (tell.seq < lane.appliedSeq) return { action: 'repeat confirmation' }
  if (tell.seq === lane.appliedSeq) {
    const isSame = lane.appliedId === null || lane.appliedId === tell.id
    return isSame || isFromEarlierLife(tell) ? { action: 'repeat confirmation' } : forked(tell)
  }
  // Before the check for gaps: tells after a failing one wait with it instead of being requested again.
  if (lane.retryAt !== null && lane.retryAt > now) return { action: 'wait', retryAfterMs: lane.retryAt - now }
  if (tell.seq > lane.appliedSeq + 1) return { action: 'ask for resend' }
  const continues = lane.appliedId === null || lane.appliedId === tell.previousId
  return continues || isFromEarlierLife(tell) ? { action: 'apply' } : forked(tell)
}

/** Lanes from before a raised incarnation were compared in the exchange, which reported the differences. */
function isFromEarlierLife(tell: Head): boolean {
  return tell.incarnation !== tell.fromLife
}

function forked(tell: Head): Verdict {
  return {
    action: 'hold link',
    reason: `message ${tell.seq} of a lane does not continue the messages applied here`,
  }
}

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 60_000

/** Doubles with every failure up to a minute: a fixed handler continues soon, a broken one costs little. */
export function retryDelayMs(failedAttempts: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failedAttempts, 20))
}
