import type { BusContext } from '../context.ts'
import type { Party } from '../parties.ts'
import { type ComparedLane, compareLanes, insertLoss, readLanePositions, setConfirmed } from '../store/exchange.ts'
import type { InboxCursor } from '../store/inbox.ts'
import {
  type LanePosition,
  lockPeer,
  readPeer,
  readSelf,
  recordExchanged,
  recordReconciled,
} from '../store/sessions.ts'
import { hold, meet, ownLife } from './meet.ts'
import { isReconciled, decideLane, type LaneVerdict, type Lives } from './rules.ts'
import { askPeer } from './sync.ts'

const PAGE_LANES = 500

/**
 * Says hello and, when either side has a new incarnation, compares every lane towards the peer with the peer's cursors:
 * missing tells are sent again, applied ones are confirmed, and tells that neither side keeps are reported. Returns the
 * incarnations to send between, or null while the link is held. Resumes where an interrupted exchange stopped.
 */
export async function reconcile(context: BusContext, peer: Party): Promise<Lives | null> {
  const own = await ownLife(context)
  const hello = await askPeer(context, peer, { op: 'hello', life: own })
  await meet(context, peer, hello.life)
  if (hello.isStale) {
    await hold(
      context,
      peer,
      context.self,
      `${peer} knows a newer incarnation of ${context.self} than this database has`,
    )
    return null
  }
  for (;;) {
    const known = await context.database.read((read) => readPeer(read, peer))
    if (known === null || known.held !== null) return null
    const lives = { own, peer: known.incarnation }
    if (isReconciled(known, own)) return lives
    if (!(await exchangePage(context, peer, lives, known.exchanged))) return null
  }
}

/** False when the link had to be held or the session changed meanwhile. */
async function exchangePage(context: BusContext, peer: Party, lives: Lives, after: LanePosition): Promise<boolean> {
  const ours = await context.database.read((read) => readLanePositions(read, peer, after, PAGE_LANES))
  const request = { op: 'cursors', lives, after, limit: PAGE_LANES } as const
  const theirs = await askPeer(context, peer, request)
  const upTo = commonEnd(ours, theirs)
  const cursors = theirs.filter((cursor) => upTo === null || !isAfter(cursor, upTo))
  const compared = await context.database.read((read) => compareLanes(read, peer, { after, upTo }, cursors))
  const decided = compared.map((lane) => ({ lane, verdict: decideLane(lane, lives.own) }))
  for (const { verdict } of decided) {
    if (verdict.action !== 'hold') continue
    await hold(context, peer, context.self, `${peer} says ${verdict.reason}`)
    return false
  }
  if (await skipMissing(context, peer, lives, decided)) return true
  return recordPage(context, peer, { lives, after, upTo, decided })
}

interface DecidedLane {
  readonly lane: ComparedLane
  readonly verdict: LaneVerdict
}

/**
 * Lets the peer continue after tells that we no longer keep; true when there were any, and the page must be compared
 * again.
 */
async function skipMissing(
  context: BusContext,
  peer: Party,
  lives: Lives,
  decided: readonly DecidedLane[],
): Promise<boolean> {
  const ranges = decided.flatMap(({ lane, verdict }) =>
    verdict.action === 'skip'
      ? [{ key: lane.key, incarnation: lane.incarnation, fromSeq: verdict.fromSeq, toSeq: verdict.toSeq }]
      : [],
  )
  if (ranges.length === 0) return false
  await askPeer(context, peer, { op: 'skip', lives, ranges })
  return true
}

interface Page {
  readonly lives: Lives
  readonly after: LanePosition
  readonly upTo: LanePosition | null
  readonly decided: readonly DecidedLane[]
}

async function recordPage(context: BusContext, peer: Party, page: Page): Promise<boolean> {
  const now = context.clock.now()
  const moved = page.decided.flatMap(({ lane, verdict }) =>
    verdict.action === 'move' ? [{ key: lane.key, incarnation: lane.incarnation, seq: verdict.seq }] : [],
  )
  const losses = page.decided.flatMap(({ lane, verdict }) => {
    const loss = verdict.action === 'move' || verdict.action === 'forgotten' ? verdict.loss : null
    return loss === null ? [] : [{ peer, key: lane.key, incarnation: lane.incarnation, ...loss }]
  })
  const isRecorded = await context.database.transaction(async (tx) => {
    const [self, known] = [await readSelf(tx), await lockPeer(tx, peer)]
    const isSame = self?.incarnation === page.lives.own && known?.incarnation === page.lives.peer
    // Another process may be exchanging too: the second one starts over from the recorded state of the first.
    if (!isSame || isReconciled(known, page.lives.own) || isAfter(known.exchanged, page.after)) return false
    await setConfirmed(tx, peer, moved)
    for (const loss of losses) await insertLoss(tx, loss, now)
    if (page.upTo === null) await recordReconciled(tx, peer, page.lives.own, page.lives.peer)
    else await recordExchanged(tx, peer, page.upTo)
    return true
  })
  if (isRecorded && losses.length > 0)
    context.telemetry.log.error({ peer, lanes: losses.length }, 'lanes differ after a restore: reconcile, see bus.loss')
  return isRecorded
}

/** The range that both pages cover completely; null when both have reached their end. */
function commonEnd(ours: readonly LanePosition[], theirs: readonly InboxCursor[]): LanePosition | null {
  const ends = [ours, theirs].flatMap((page) => (page.length === PAGE_LANES ? page.slice(-1) : []))
  const [nearest] = ends.toSorted((one, other) => (isAfter(one, other) ? 1 : -1))
  return nearest === undefined ? null : { key: nearest.key, incarnation: nearest.incarnation }
}

/** In the byte order of the tables; keys are ASCII. */
function isAfter(one: LanePosition, other: LanePosition): boolean {
  return one.key === other.key ? one.incarnation > other.incarnation : one.key > other.key
}
