import type { Loss } from '../contracts.ts'
import type { ComparedLane } from '../store/exchange.ts'
import type { Peer } from '../store/sessions.ts'

/** The result of comparing one lane with the peer's cursor. */
export type LaneVerdict =
  | { readonly action: 'agree' }
  /** Set our confirmed number to theirs: forwards, or backwards to send again from the history. */
  | { readonly action: 'move'; readonly seq: number; readonly loss: LostRange | null }
  /** The peer lacks tells that we no longer keep: it must continue after `toSeq`. */
  | { readonly action: 'skip'; readonly fromSeq: number; readonly toSeq: number }
  | { readonly action: 'forgotten'; readonly loss: LostRange }
  | { readonly action: 'hold'; readonly reason: string }

export type LostRange = Pick<Loss, 'fromSeq' | 'toSeq' | 'what'>

/** The two incarnations of a session; every message names both. */
export interface Lives {
  readonly own: number
  readonly peer: number
}

/**
 * [Note: sessions] No tell is sent until our lanes were compared with the peer's cursors for exactly this pair of
 * incarnations.
 */
export function isReconciled(peer: Peer, own: number): boolean {
  return peer.held === null && peer.reconciledOwn === own && peer.reconciledPeer === peer.incarnation
}

/** The peer's cursor is the truth about which tells have arrived; `own` is our incarnation. */
export function decideLane(lane: ComparedLane, own: number): LaneVerdict {
  const { appliedSeq, lastSeq } = lane
  if (lane.incarnation > own) return { action: 'hold', reason: olderThanPeer('from an incarnation above its own') }
  const isPast = lane.incarnation < own
  if (lastSeq === null || appliedSeq > lastSeq) return decideForgotten(lane, lastSeq ?? 0, isPast)
  if (lane.isOurs === false) return decideDiffering(lane, isPast)
  const missing = missingRange(lane, lastSeq)
  if (missing !== null) return { action: 'skip', ...missing }
  return appliedSeq === lane.confirmedSeq ? { action: 'agree' } : { action: 'move', seq: appliedSeq, loss: null }
}

/**
 * The peer applied tells that we do not know: expected for a lane from before a restore, impossible for a current one.
 */
function decideForgotten(lane: ComparedLane, lastSeq: number, isPast: boolean): LaneVerdict {
  if (!isPast) return { action: 'hold', reason: olderThanPeer(`up to ${lane.appliedSeq}, which knows only ${lastSeq}`) }
  const loss: LostRange = { fromSeq: lastSeq + 1, toSeq: lane.appliedSeq, what: 'forgotten' }
  return lane.lastSeq === null ? { action: 'forgotten', loss } : { action: 'move', seq: lastSeq, loss }
}

/** Both sides hold a different message under the same number. */
function decideDiffering(lane: ComparedLane, isPast: boolean): LaneVerdict {
  const { confirmedSeq, appliedSeq } = lane
  if (!isPast) return { action: 'hold', reason: olderThanPeer(`as ${appliedSeq}, which is another message here`) }
  const loss: LostRange = { fromSeq: Math.min(confirmedSeq, appliedSeq - 1) + 1, toSeq: appliedSeq, what: 'doubtful' }
  return { action: 'move', seq: appliedSeq, loss }
}

function missingRange({ appliedSeq, firstKeptSeq }: ComparedLane, lastSeq: number): Omit<LostRange, 'what'> | null {
  const resumesAt = firstKeptSeq ?? lastSeq + 1
  return resumesAt > appliedSeq + 1 ? { fromSeq: appliedSeq + 1, toSeq: resumesAt - 1 } : null
}

function olderThanPeer(what: string): string {
  return `it has applied messages ${what} of this database: this database is an older copy of itself`
}
