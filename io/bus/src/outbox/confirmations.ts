import { instant } from '@sealpost/kernel'
import type { BusNeeds } from '../needs.ts'
import { hold } from '../session/meet.ts'
import { isSettled, type Lives } from '../session/rules.ts'
import { askPeer, PeerUnreachable } from '../session/sync.ts'
import { confirmLanes, type JudgedCursor, postponeLane } from '../store/outbox.ts'
import { readSelf, sharePeer } from '../store/sessions.ts'
import type { Notice } from '../wire.ts'
import { arrive, findLane, leave, rewind } from './flight.ts'
import type { RelayState } from './relay-state.ts'

/** Takes in what the target has said since the last round. */
export async function hearNotices(needs: BusNeeds, state: RelayState, lives: Lives): Promise<void> {
  const newest = takeNewest(state, lives)
  if (newest.size === 0) return
  state.lastNoticeAtMs = performance.now()
  const judged = await confirm(needs, state, lives, newest)
  for (const cursor of judged) {
    const notice = newest.get(nameOf(cursor))
    if (notice === undefined) continue
    newest.delete(nameOf(cursor))
    await follow(needs, state, lives, cursor, notice)
  }
  // Lanes that a caller was writing to: their word counts as soon as that transaction has ended.
  const kept = [...newest.values()].filter((notice) => findLane(state.flight, notice) !== null)
  if (kept.length > 0) state.heard.push({ fromLife: lives.peer, toLife: lives.own, notices: kept })
}

/** One notice per lane: the highest cursor, and of equal ones what it asks for. Other sessions mean nothing here. */
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
  needs: BusNeeds,
  state: RelayState,
  lives: Lives,
  newest: ReadonlyMap<string, Notice>,
): Promise<readonly JudgedCursor[]> {
  const { target } = state.link
  return needs.database.transaction(async (tx) => {
    const [self, peer] = [await readSelf(tx), await sharePeer(tx, target)]
    // The peer may have begun a new life since: what its old one applied is then no confirmation any more.
    const isSame = self?.incarnation === lives.own && peer?.incarnation === lives.peer
    if (!isSame || !isSettled(peer, lives.own)) return []
    const judged = await confirmLanes(tx, target, [...newest.values()])
    for (const lane of judged) {
      const notice = newest.get(nameOf(lane))
      if (notice?.outcome !== 'failing') continue
      const until = instant(needs.clock.now() + (notice.retryAfterMs ?? 0))
      await postponeLane(tx, target, lane, until)
    }
    return judged
  })
}

async function follow(
  needs: BusNeeds,
  state: RelayState,
  lives: Lives,
  cursor: JudgedCursor,
  notice: Notice,
): Promise<void> {
  if (cursor.incarnation === lives.own && isOlderThanPeer(cursor)) {
    const reason = `${state.link.target} has applied message ${cursor.appliedSeq} of a lane, which is not what this database told`
    return hold(needs, state.link.target, needs.self, reason)
  }
  if (notice.outcome === 'gap' && cursor.appliedSeq < cursor.confirmedSeq)
    return questionCursor(needs, state, lives, cursor)
  const lane = findLane(state.flight, cursor)
  if (lane === null) return
  arrive(state.flight, lane, cursor.appliedSeq, performance.now())
  if (notice.outcome === 'failing') leave(state.flight, lane)
  else if (notice.outcome === 'gap' && notice.attempt === lane.attempt) rewind(state.flight, lane, performance.now())
}

function isOlderThanPeer({ appliedSeq, lastSeq, confirmedSeq, isOurs }: JudgedCursor): boolean {
  return appliedSeq > lastSeq || (isOurs === false && appliedSeq > confirmedSeq)
}

/** A low cursor is mostly an old notice that was overtaken. Asked directly, a cursor can only have gone forwards. */
async function questionCursor(
  needs: BusNeeds,
  state: RelayState,
  lives: Lives,
  { key, incarnation, confirmedSeq }: JudgedCursor,
): Promise<void> {
  const { target } = state.link
  const present = await askPeer(needs, target, { op: 'cursor', key, incarnation }).catch(nullWhenUnreachable)
  // Out of reach now: the next gap asks again.
  if (present === null || present.life !== lives.peer || present.appliedSeq >= confirmedSeq) return
  const reason = `${target} had confirmed message ${confirmedSeq} of a lane and now knows only ${present.appliedSeq}`
  await hold(needs, target, target, reason)
}

function nullWhenUnreachable(error: unknown): null {
  if (error instanceof PeerUnreachable) return null
  throw error
}

function nameOf({ key, incarnation }: { readonly key: string; readonly incarnation: number }): string {
  return `${incarnation} ${key}`
}
