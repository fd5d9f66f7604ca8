import type { BusNeeds } from '../needs.ts'
import type { Party } from '../parties.ts'
import { insertLoss } from '../store/exchange.ts'
import { lockInboxLane, moveCursor, readCursors, readInboxLane } from '../store/inbox.ts'
import { readPeer, readSelf } from '../store/sessions.ts'
import { decodeJson, encodeJson } from '../wire.ts'
import { meet, ownLife } from './meet.ts'
import type { Lives } from './rules.ts'
import type { SkippedRange, SyncReplies, SyncRequest } from './sync.ts'

/** Serves `askPeer` of the other parties. `onChange`: somebody in this process has new work. */
export async function answerPeer(
  needs: BusNeeds,
  from: Party,
  payload: Uint8Array,
  onChange: () => void,
): Promise<Uint8Array> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only askPeer of this package asks on the subject
    const request = decodeJson(payload) as SyncRequest
    return encodeJson({ value: await answer(needs, from, request, onChange) })
  } catch (error) {
    return encodeJson({ refused: String(error) })
  }
}

async function answer(
  needs: BusNeeds,
  from: Party,
  request: SyncRequest,
  onChange: () => void,
): Promise<SyncReplies[SyncRequest['op']]> {
  switch (request.op) {
    case 'hello': {
      const met = await meet(needs, from, request.life)
      if (met === 'new') onChange()
      return { life: await ownLife(needs), isStale: met === 'stale' }
    }
    case 'cursors':
      await refuseOtherSession(needs, from, request.lives)
      return needs.database.read((read) => readCursors(read, from, request.after, request.limit))
    case 'cursor': {
      const { key, incarnation } = request
      const lane = await needs.database.read((read) => readInboxLane(read, { source: from, key, incarnation }))
      return { life: await ownLife(needs), appliedSeq: lane?.appliedSeq ?? 0 }
    }
    case 'skip':
      await refuseOtherSession(needs, from, request.lives)
      for (const range of request.ranges) await skipRange(needs, from, request.lives, range)
      onChange()
      return { isDone: true }
  }
}

async function refuseOtherSession(needs: BusNeeds, from: Party, lives: Lives): Promise<void> {
  const [self, peer] = await needs.database.read(async (read) => [await readSelf(read), await readPeer(read, from)])
  if (self?.incarnation !== lives.peer || peer?.incarnation !== lives.own)
    throw new Error(`${needs.self} and ${from} have other incarnations by now`)
}

/** Goes on after what the source no longer keeps. The range is never silent: a row, an alarm, and `onLoss`. */
async function skipRange(needs: BusNeeds, from: Party, lives: Lives, range: SkippedRange): Promise<void> {
  const name = { source: from, key: range.key, incarnation: range.incarnation }
  const now = needs.clock.now()
  const isNew = await needs.database.transaction(async (tx) => {
    const lane = await lockInboxLane(tx, name)
    if (lane.ownLife !== lives.peer || lane.sourceLife !== lives.own || lane.appliedSeq !== range.fromSeq - 1)
      return false
    await moveCursor(tx, name, { seq: range.toSeq, id: null }, now)
    await insertLoss(tx, { peer: from, ...range, what: 'not_received' }, now)
    return true
  })
  if (isNew)
    needs.telemetry.log.error(
      { peer: from, ...range },
      'tells were lost: they are older than what the sender keeps; reconcile the key, see bus.loss',
    )
}
