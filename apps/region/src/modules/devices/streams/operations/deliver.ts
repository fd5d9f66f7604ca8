import type { UserId } from '@sealpost/kernel'
import type { StoredHint } from '../../model.ts'
import { listHints, type Position } from '../../store/hints.ts'
import type { HubContext } from '../context.ts'
import type { OpenStream } from '../model.ts'
import { hintFrame } from '../rules/frames.ts'
import type { Register } from './register.ts'

const ACCOUNTS_AT_ONCE = 500
/** A hint that arrives meanwhile waits for the batch. */
const DUE_AT_ONCE = 100
/** Of one account: bounds what a stream has in memory. */
const HINTS_AT_ONCE = 100

/** The accounts to look at. */
export interface Wanted {
  /** They have new hints, and go first. */
  readonly woken: Set<UserId>
  /** They were not looked at for some time: a wake-up may have been lost. */
  readonly due: Set<UserId>
}

/** Reads the new hints of the wanted accounts and writes them to the streams whose readers keep up. */
export async function deliverWanted(
  context: HubContext,
  streams: Register,
  wanted: Wanted,
  end: (stream: OpenStream) => void,
): Promise<void> {
  while (wanted.woken.size + wanted.due.size > 0) {
    const batch = takeBatch(wanted)
    try {
      for (const accountId of await deliverBatch(context, streams, batch, end)) wanted.woken.add(accountId)
    } catch (error) {
      for (const accountId of batch) wanted.woken.add(accountId)
      throw error
    }
  }
}

/** Writes hints of one account that were just stored. False when a stream lacks earlier ones, which must be read. */
export async function deliverTold(
  context: HubContext,
  streams: Register,
  hints: readonly StoredHint[],
  end: (stream: OpenStream) => void,
): Promise<boolean> {
  const [first] = hints
  if (first === undefined) return false
  let isComplete = true
  for (const stream of streams.ofAccount(first.accountId)) {
    if (stream.position + 1 < first.seq) isComplete = false
    else await writeHints(context, streams, stream, hints, end)
  }
  return isComplete
}

function takeBatch({ woken, due }: Wanted): readonly UserId[] {
  const batch = woken.size > 0 ? [...woken].slice(0, ACCOUNTS_AT_ONCE) : [...due].slice(0, DUE_AT_ONCE)
  for (const accountId of batch) {
    woken.delete(accountId)
    due.delete(accountId)
  }
  return batch
}

/** Answers the accounts that have more hints than one page. */
async function deliverBatch(
  context: HubContext,
  streams: Register,
  batch: readonly UserId[],
  end: (stream: OpenStream) => void,
): Promise<readonly UserId[]> {
  const positions = batch.flatMap((accountId) => positionOf(streams, accountId))
  if (positions.length === 0) return []
  const unfinished: UserId[] = []
  for (const [accountId, hints] of await readHints(context, positions)) {
    for (const stream of streams.ofAccount(accountId)) await writeHints(context, streams, stream, hints, end)
    if (hints.length === HINTS_AT_ONCE) unfinished.push(accountId)
  }
  return unfinished
}

/** Of the stream that has the oldest position; the others leave out what they have. */
function positionOf(streams: Register, accountId: UserId): readonly Position[] {
  const ready = streams.ofAccount(accountId).filter(({ isBehind }) => !isBehind)
  return ready.length === 0 ? [] : [{ accountId, seq: Math.min(...ready.map(({ position }) => position)) }]
}

async function readHints(
  { database }: HubContext,
  positions: readonly Position[],
): Promise<ReadonlyMap<UserId, readonly StoredHint[]>> {
  const rows = await database.read((read) => listHints(read, positions, HINTS_AT_ONCE))
  return Map.groupBy(rows, ({ accountId }) => accountId)
}

async function writeHints(
  context: HubContext,
  streams: Register,
  stream: OpenStream,
  hints: readonly StoredHint[],
  end: (stream: OpenStream) => void,
): Promise<void> {
  if (stream.isBehind) return
  if (await hasEnded(context, stream)) {
    end(stream)
    return
  }
  const fresh = hints.filter(({ seq }) => seq > stream.position)
  const last = fresh.at(-1)
  if (last === undefined || !streams.has(stream)) return
  stream.position = last.seq
  stream.wroteAtMs = context.monotonicMs()
  stream.isBehind = !stream.wire.write(fresh.map((hint) => hintFrame(stream.life, hint)).join(''))
}

/** While this process has lost its lease these two ask the database; see access/guard. */
async function hasEnded({ access }: HubContext, { sessionId, accountId }: OpenStream): Promise<boolean> {
  return (await access.isRevoked(sessionId)) || (await access.findAccount(accountId)) === null
}
