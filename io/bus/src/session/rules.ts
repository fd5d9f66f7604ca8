import type { Loss } from '../contracts.ts'
import type { ComparedLane } from '../store/exchange.ts'
import type { Peer } from '../store/sessions.ts'

/** What comparing one lane with the peer's cursor comes to. */
export type LaneVerdict =
  | { readonly act: 'agree' }
  /** Set our confirmed number to theirs: forwards, or backwards to send again from the history. */
  | { readonly act: 'move'; readonly seq: number; readonly loss: LostRange | null }
  /** The peer misses what we no longer keep: it must be told to go on after `toSeq`. */
  | { readonly act: 'skip'; readonly fromSeq: number; readonly toSeq: number }
  | { readonly act: 'forgotten'; readonly loss: LostRange }
  | { readonly act: 'hold'; readonly reason: string }

export type LostRange = Pick<Loss, 'fromSeq' | 'toSeq' | 'what'>

/** The two lives that a session is between; every message names both. */
export interface Lives {
  readonly own: number
  readonly peer: number
}

/** [Note: sessions] Nothing flows until our lanes were compared with the peer's cursors for this very pair of lives. */
export function isSettled(peer: Peer, own: number): boolean {
  return peer.held === null && peer.settledOwn === own && peer.settledPeer === peer.incarnation
}

/** The peer's cursor is the truth about what has arrived; `own` is our incarnation. */
export function judgeLane(lane: ComparedLane, own: number): LaneVerdict {
  const { appliedSeq, lastSeq } = lane
  if (lane.incarnation > own) return { act: 'hold', reason: olderThanPeer('from an incarnation above its own') }
  const isPast = lane.incarnation < own
  if (lastSeq === null || appliedSeq > lastSeq) return judgeForgotten(lane, lastSeq ?? 0, isPast)
  if (lane.isOurs === false) return judgeDiffering(lane, isPast)
  const missing = missingRange(lane, lastSeq)
  if (missing !== null) return { act: 'skip', ...missing }
  return appliedSeq === lane.confirmedSeq ? { act: 'agree' } : { act: 'move', seq: appliedSeq, loss: null }
}

/** They applied more than we remember telling: normal for a lane from before a restore, impossible for a present one. */
function judgeForgotten(lane: ComparedLane, lastSeq: number, isPast: boolean): LaneVerdict {
  if (!isPast) return { act: 'hold', reason: olderThanPeer(`up to ${lane.appliedSeq}, and remembers ${lastSeq}`) }
  const loss: LostRange = { fromSeq: lastSeq + 1, toSeq: lane.appliedSeq, what: 'forgotten' }
  return lane.lastSeq === null ? { act: 'forgotten', loss } : { act: 'move', seq: lastSeq, loss }
}

/** Under a number that both know stand two different messages. */
function judgeDiffering(lane: ComparedLane, isPast: boolean): LaneVerdict {
  const { confirmedSeq, appliedSeq } = lane
  if (!isPast) return { act: 'hold', reason: olderThanPeer(`as ${appliedSeq}, which is another message here`) }
  const loss: LostRange = { fromSeq: Math.min(confirmedSeq, appliedSeq - 1) + 1, toSeq: appliedSeq, what: 'doubtful' }
  return { act: 'move', seq: appliedSeq, loss }
}

function missingRange({ appliedSeq, firstKeptSeq }: ComparedLane, lastSeq: number): Omit<LostRange, 'what'> | null {
  const resumesAt = firstKeptSeq ?? lastSeq + 1
  return resumesAt > appliedSeq + 1 ? { fromSeq: appliedSeq + 1, toSeq: resumesAt - 1 } : null
}

function olderThanPeer(what: string): string {
  return `it has applied messages ${what} of this database's: this database is an older copy of itself`
}
