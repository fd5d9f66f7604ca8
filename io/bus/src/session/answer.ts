import type { BusContext } from '../context.ts'
import type { Party } from '../parties.ts'
import { insertLoss } from '../store/exchange.ts'
import { lockInboxLane, moveCursor, readCursors, readInboxLane } from '../store/inbox.ts'
import { readSession } from '../store/sessions.ts'
import { decodeJson, encodeJson } from '../wire.ts'
import { meet, ownLife } from './meet.ts'
import type { Lives } from './rules.ts'
import type { SkippedRange, SyncReplies, SyncRequest } from './sync.ts'

/** Serves `askPeer` of the other parties. `onChange` is called when there is new work in this process. */
export async function answerPeer(
  context: BusContext,
  from: Party,
  payload: Uint8Array,
  onChange: () => void,
): Promise<Uint8Array> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only askPeer of this package asks on the subject
    const request = decodeJson(payload) as SyncRequest
    return encodeJson({ value: await answer(context, from, request, onChange) })
  } catch (error) {
    return encodeJson({ refused: String(error) })
  }
}

async function answer(
  context: BusContext,
  from: Party,
  request: SyncRequest,
  onChange: () => void,
): Promise<SyncReplies[SyncRequest['op']]> {
  switch (request.op) {
    case 'hello': {
      const met = await meet(context, from, request.life)
      if (met === 'new') onChange()
      return { life: await ownLife(context), isStale: met === 'stale' }
    }
    case 'cursors':
      await refuseOtherSession(context, from, request.lives)
      return context.database.read((read) => readCursors(read, from, request.after, request.limit))
    case 'cursor': {
      const { key, incarnation } = request
      const lane = await context.database.read((read) => readInboxLane(read, { source: from, key, incarnation }))
      return { life: await ownLife(context), appliedSeq: lane?.appliedSeq ?? 0 }
    }
    case 'skip':
      await refuseOtherSession(context, from, request.lives)
      for (const range of request.ranges) await skipRange(context, from, request.lives, range)
      onChange()
      return { isDone: true }
  }
}

async function refuseOtherSession(context: BusContext, from: Party, lives: Lives): Promise<void> {
  const session = await context.database.read((read) => readSession(read, from))
  if (session?.own !== lives.peer || session.peer.incarnation !== lives.own)
    throw new Error(`${context.self} or ${from} has a new incarnation`)
}

/** Continues after a range that the source no longer keeps. The range is reported: a row, an alarm, and `onLoss`. */
async function skipRange(context: BusContext, from: Party, lives: Lives, range: SkippedRange): Promise<void> {
  const name = { source: from, key: range.key, incarnation: range.incarnation }
  const now = context.clock.now()
  const isNew = await context.database.transaction(async (tx) => {
    const lane = await lockInboxLane(tx, name)
    if (lane.ownLife !== lives.peer || lane.sourceLife !== lives.own || lane.appliedSeq !== range.fromSeq - 1)
      return false
    await moveCursor(tx, name, { seq: range.toSeq, id: null }, now)
    await insertLoss(tx, { peer: from, ...range, what: 'not_received' }, now)
    return true
  })
  if (isNew)
    context.telemetry.log.error(
      { peer: from, ...range },
      "tells were lost: they are older than the sender's history; reconcile the key, see bus.loss",
    )
}
