import type { Line } from '../../store/hints.ts'
import { type EventPosition, parseEventId } from './frames.ts'

export interface Start {
  readonly seq: number
  /** Hints after the reader's position are gone: it has to read everything again. */
  readonly isMissingHints: boolean
}

/**
 * Where a stream starts. Without a position: now. A position from before a restore of the region, from another region or after
 * the newest hint says nothing here; nor does one whose next hint has expired.
 */
export function startOf(given: EventPosition | null, hasGiven: boolean, { life, lastSeq, isKept }: Line): Start {
  if (!hasGiven) return { seq: lastSeq, isMissingHints: false }
  if (given === null || given.life !== life || given.seq > lastSeq) return { seq: lastSeq, isMissingHints: true }
  const isWhole = given.seq === lastSeq || isKept
  return isWhole ? { seq: given.seq, isMissingHints: false } : { seq: lastSeq, isMissingHints: true }
}

export function readPosition(lastEventId: string | null): EventPosition | null {
  return lastEventId === null ? null : parseEventId(lastEventId)
}
