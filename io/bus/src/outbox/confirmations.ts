import { instant } from '@sealpost/kernel'
import type { BusContext } from '../context.ts'
import { hold } from '../session/meet.ts'
import { isReconciled, type Lives } from '../session/rules.ts'
import { askPeer, PeerUnreachable } from '../session/sync.ts'
import { confirmLanes, type ComparedCursor, postponeLane } from '../store/outbox.ts'
import { shareSession } from '../store/sessions.ts'
import type { Notice } from '../wire.ts'
import { arrive, findLane, leave, rewind } from './flight.ts'
import type { RelayState } from './relay-state.ts'

/** Processes the notices of the target since the last iteration. */
export async function hearNotices(context: BusContext, state: RelayState, lives: Lives): Promise<void> {
  const newest = takeNewest(state, lives)
  if (newest.size === 0) return
  state.lastNoticeAtMs = performance.now()
  const compared = await confirm(context, state, lives, newest)
  for (const cursor of compared) {
    const notice = newest.get(nameOf(cursor))
    if (notice === undefined) continue
    newest.delete(nameOf(cursor))
    await follow(context, state, lives, cursor, notice)
  }
  // Lanes locked by a caller's transaction: their notices count as soon as it has ended.
  const kept = [...newest.values()].filter((notice) => findLane(state.flight, notice) !== null)
  if (kept.length > 0) state.heard.push({ fromLife: lives.peer, toLife: lives.own, notices: kept })
}

/**
 * One notice per lane: the highest cursor, and of equal ones the one with a request. Notices of other sessions are
 * ignored.
 */
function takeNewest(state: RelayState, lives: Lives): Map<string, Notice> {
  const newest = new Map<string, Notice>()
  for (const { fromLife, toLife, ready, notices } of state.heard.splice(0)) {
    if (fromLife > lives.peer) state.greetAtMs = 0
    if (fromLife !== lives.peer || toLife !== lives.own) continue
    if (ready === true) state.isRewindDue = true
    for (const notice of notices) {
      const known = newest.get(nameOf(notice))
      const isHigher = known === undefined || notice.appliedSeq > known.appliedSeq
      if (isHigher || (notice.appliedSeq === known.appliedSeq && notice.outcome !== 'applied'))
        newest.set(nameOf(notice), notice)
    }
  }
  return newest
}

async function confirm(
  context: BusContext,
  state: RelayState,
  lives: Lives,
  newest: ReadonlyMap<string, Notice>,
): Promise<readonly ComparedCursor[]> {
  const { target } = state.link
  return context.database.transaction(async (tx) => {
    const session = await shareSession(tx, target)
    // The peer may have a new incarnation since: a cursor of the old one is no confirmation any more.
    const isSame = session?.own === lives.own && session.peer.incarnation === lives.peer
    if (!isSame || !isReconciled(session.peer, lives.own)) return []
    const compared = await confirmLanes(tx, target, [...newest.values()])
    for (const lane of compared) {
      const notice = newest.get(nameOf(lane))
      if (notice?.outcome !== 'failing') continue
      const until = instant(context.clock.now() + (notice.retryAfterMs ?? 0))
      await postponeLane(tx, target, lane, until)
    }
    return compared
  })
}

async function follow(
  context: BusContext,
  state: RelayState,
  lives: Lives,
  cursor: ComparedCursor,
  notice: Notice,
): Promise<void> {
  if (cursor.incarnation === lives.own && isOlderThanPeer(cursor)) {
    const reason = `${state.link.target} has applied message ${cursor.appliedSeq} of a lane, which differs from the one in this database`
    return hold(context, state.link.target, context.self, reason)
  }
  if (notice.outcome === 'gap' && cursor.appliedSeq < cursor.confirmedSeq)
    return questionCursor(context, state, lives, cursor)
  const lane = findLane(state.flight, cursor)
  if (lane === null) return
  arrive(state.flight, lane, cursor.appliedSeq, performance.now())
  if (notice.outcome === 'failing') leave(state.flight, lane)
  else if (notice.outcome === 'gap' && notice.attempt === lane.attempt) rewind(state.flight, lane, performance.now())
}

function isOlderThanPeer({ appliedSeq, lastSeq, confirmedSeq, isOurs }: ComparedCursor): boolean {
  return appliedSeq > lastSeq || (isOurs === false && appliedSeq > confirmedSeq)
}

/** A low cursor is mostly an old notice that was overtaken. Read directly, a cursor can only have advanced. */
async function questionCursor(
  context: BusContext,
  state: RelayState,
  lives: Lives,
  { key, incarnation, confirmedSeq }: ComparedCursor,
): Promise<void> {
  const { target } = state.link
  const present = await askPeer(context, target, { op: 'cursor', key, incarnation }).catch(nullWhenUnreachable)
  // Unreachable now: the next gap asks again.
  if (present === null || present.life !== lives.peer || present.appliedSeq >= confirmedSeq) return
  const reason = `${target} had confirmed message ${confirmedSeq} of a lane and now knows only ${present.appliedSeq}`
  await hold(context, target, target, reason)
}

function nullWhenUnreachable(error: unknown): null {
  if (error instanceof PeerUnreachable) return null
  throw error
}

function nameOf({ key, incarnation }: { readonly key: string; readonly incarnation: number }): string {
  return `${incarnation} ${key}`
}
