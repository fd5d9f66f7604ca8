import type { BusNeeds } from '../needs.ts'
import type { Party } from '../parties.ts'
import { type ComparedLane, compareLanes, insertLoss, readLanePositions, setConfirmed } from '../store/exchange.ts'
import type { InboxCursor } from '../store/inbox.ts'
import { type LanePosition, lockPeer, readPeer, readSelf, recordExchanged, settlePeer } from '../store/sessions.ts'
import { hold, meet, ownLife } from './meet.ts'
import { isSettled, judgeLane, type LaneVerdict, type Lives } from './rules.ts'
import { askPeer } from './sync.ts'

const PAGE_LANES = 500

/**
 * Says hello and, when either side has a new incarnation, compares every lane towards the peer with the peer's cursors:
 * what it lacks is sent again, what it has is done, what nobody keeps is reported. Answers the lives to send between,
 * or null while the link is held. Resumes where an interrupted exchange stopped.
 */
export async function settle(needs: BusNeeds, peer: Party): Promise<Lives | null> {
  const own = await ownLife(needs)
  const hello = await askPeer(needs, peer, { op: 'hello', life: own })
  await meet(needs, peer, hello.life)
  if (hello.isStale) {
    await hold(needs, peer, needs.self, `${peer} knows a newer incarnation of ${needs.self} than this database has`)
    return null
  }
  for (;;) {
    const known = await needs.database.read((read) => readPeer(read, peer))
    if (known === null || known.held !== null) return null
    const lives = { own, peer: known.incarnation }
    if (isSettled(known, own)) return lives
    if (!(await exchangePage(needs, peer, lives, known.exchanged))) return null
  }
}

/** False when the link had to be held or the session changed meanwhile. */
async function exchangePage(needs: BusNeeds, peer: Party, lives: Lives, after: LanePosition): Promise<boolean> {
  const ours = await needs.database.read((read) => readLanePositions(read, peer, after, PAGE_LANES))
  const request = { op: 'cursors', lives, after, limit: PAGE_LANES } as const
  const theirs = await askPeer(needs, peer, request)
  const upTo = commonEnd(ours, theirs)
  const cursors = theirs.filter((cursor) => upTo === null || !isAfter(cursor, upTo))
  const compared = await needs.database.read((read) => compareLanes(read, peer, { after, upTo }, cursors))
  const judged = compared.map((lane) => ({ lane, verdict: judgeLane(lane, lives.own) }))
  for (const { verdict } of judged) {
    if (verdict.act !== 'hold') continue
    await hold(needs, peer, needs.self, `${peer} says ${verdict.reason}`)
    return false
  }
  if (await skipMissing(needs, peer, lives, judged)) return true
  return recordPage(needs, peer, { lives, after, upTo, judged })
}

interface JudgedLane {
  readonly lane: ComparedLane
  readonly verdict: LaneVerdict
}

/** Lets the peer go on after what we no longer keep; true when there was any, and the page must be compared again. */
async function skipMissing(
  needs: BusNeeds,
  peer: Party,
  lives: Lives,
  judged: readonly JudgedLane[],
): Promise<boolean> {
  const ranges = judged.flatMap(({ lane, verdict }) =>
    verdict.act === 'skip'
      ? [{ key: lane.key, incarnation: lane.incarnation, fromSeq: verdict.fromSeq, toSeq: verdict.toSeq }]
      : [],
  )
  if (ranges.length === 0) return false
  await askPeer(needs, peer, { op: 'skip', lives, ranges })
  return true
}

interface Page {
  readonly lives: Lives
  readonly after: LanePosition
  readonly upTo: LanePosition | null
  readonly judged: readonly JudgedLane[]
}

async function recordPage(needs: BusNeeds, peer: Party, page: Page): Promise<boolean> {
  const now = needs.clock.now()
  const moved = page.judged.flatMap(({ lane, verdict }) =>
    verdict.act === 'move' ? [{ key: lane.key, incarnation: lane.incarnation, seq: verdict.seq }] : [],
  )
  const losses = page.judged.flatMap(({ lane, verdict }) => {
    const loss = verdict.act === 'move' || verdict.act === 'forgotten' ? verdict.loss : null
    return loss === null ? [] : [{ peer, key: lane.key, incarnation: lane.incarnation, ...loss }]
  })
  const isRecorded = await needs.database.transaction(async (tx) => {
    const [self, known] = [await readSelf(tx), await lockPeer(tx, peer)]
    const isSame = self?.incarnation === page.lives.own && known?.incarnation === page.lives.peer
    // Another process may be exchanging too: whoever comes second starts over from what the first has recorded.
    if (!isSame || isSettled(known, page.lives.own) || isAfter(known.exchanged, page.after)) return false
    await setConfirmed(tx, peer, moved)
    for (const loss of losses) await insertLoss(tx, loss, now)
    if (page.upTo === null) await settlePeer(tx, peer, page.lives.own, page.lives.peer)
    else await recordExchanged(tx, peer, page.upTo)
    return true
  })
  if (isRecorded && losses.length > 0)
    needs.telemetry.log.error({ peer, lanes: losses.length }, 'lanes differ after a restore: reconcile, see bus.loss')
  return isRecorded
}

/** The stretch that both pages cover completely; null when both have come to their end. */
function commonEnd(ours: readonly LanePosition[], theirs: readonly InboxCursor[]): LanePosition | null {
  const ends = [ours, theirs].flatMap((page) => (page.length === PAGE_LANES ? page.slice(-1) : []))
  const [nearest] = ends.toSorted((one, other) => (isAfter(one, other) ? 1 : -1))
  return nearest === undefined ? null : { key: nearest.key, incarnation: nearest.incarnation }
}

/** In the byte order of the tables; keys are ASCII. */
function isAfter(one: LanePosition, other: LanePosition): boolean {
  return one.key === other.key ? one.incarnation > other.incarnation : one.key > other.key
}
