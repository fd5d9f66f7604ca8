import type { Instant } from '@sealpost/kernel'
import type { InboxLane } from '../store/inbox.ts'
import type { CarriedTell } from '../wire.ts'

export type Verdict =
  | { readonly act: 'apply' }
  /** Already applied: say so again, the first word may have been lost. */
  | { readonly act: 'repeat confirmation' }
  /** Something in between is missing: ask for it. */
  | { readonly act: 'ask for resend' }
  /** The lane's head fails and is not to be tried yet. */
  | { readonly act: 'wait'; readonly retryAfterMs: number }
  /** From or for a life that is over, or a link on hold: the sender will send again when it is due. */
  | { readonly act: 'ignore'; readonly reason: string }
  /** The sender's database does not continue the history that this one has applied. */
  | { readonly act: 'hold link'; readonly reason: string }

type Head = Pick<CarriedTell, 'fromLife' | 'toLife' | 'incarnation' | 'seq' | 'id' | 'previousId'>

/**
 * Decides what to do with a tell, given the lane under its lock. A number alone does not prove that a tell is the one we
 * applied: a database restored without raising its incarnation gives the same numbers out twice. So the ids are compared
 * too, which catches it before anything is taken for a duplicate that is none.
 */
export function judgeTell(lane: InboxLane, tell: Head, now: Instant): Verdict {
  if (tell.fromLife !== lane.sourceLife) return { act: 'ignore', reason: 'sent by another life of the source' }
  if (tell.toLife !== lane.ownLife) return { act: 'ignore', reason: 'sent to another life of this party' }
  if (lane.isHeld) return { act: 'ignore', reason: 'the link is held' }
  if (tell.seq < lane.appliedSeq) return { act: 'repeat confirmation' }
  if (tell.seq === lane.appliedSeq) {
    const isSame = lane.appliedId === null || lane.appliedId === tell.id
    return isSame || isFromEarlierLife(tell) ? { act: 'repeat confirmation' } : forked(tell)
  }
  // Before the question for gaps: what stands behind a failing message waits with it instead of being sent for again.
  if (lane.retryAt !== null && lane.retryAt > now) return { act: 'wait', retryAfterMs: lane.retryAt - now }
  if (tell.seq > lane.appliedSeq + 1) return { act: 'ask for resend' }
  const continues = lane.appliedId === null || lane.appliedId === tell.previousId
  return continues || isFromEarlierLife(tell) ? { act: 'apply' } : forked(tell)
}

/** Lanes from before a raised incarnation were compared in the exchange; what differs there has been reported. */
function isFromEarlierLife(tell: Head): boolean {
  return tell.incarnation !== tell.fromLife
}

function forked(tell: Head): Verdict {
  return {
    act: 'hold link',
    reason: `message ${tell.seq} of a lane is not the one that continues what was applied here`,
  }
}

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 60_000

/** Doubles with every failure up to a minute: a mended handler goes on soon, a broken one costs little. */
export function retryDelayMs(failedAttempts: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failedAttempts, 20))
}
