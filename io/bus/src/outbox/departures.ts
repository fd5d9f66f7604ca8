import type { BusContext } from '../context.ts'
import { isLarge, type LinkedBody, linkTo, storeBody } from '../large-bodies.ts'
import { carrierOfLink } from '../parties.ts'
import type { Lives } from '../session/rules.ts'
import { type OutboxRow, readRows } from '../store/outbox.ts'
import { type CarriedTell, encodeTell } from '../wire.ts'
import { depart, findLane, type LaneFlight, nextStretches } from './flight.ts'
import type { RelayState } from './relay-state.ts'

const PAUSE_AFTER_FAILURE_MS = 500

/** Publishes the next rows of every lane that has room; returns how many. */
export async function departRows(context: BusContext, state: RelayState, lives: Lives): Promise<number> {
  const stretches = nextStretches(state.flight)
  if (stretches.length === 0) return 0
  const rows = await context.database.read((read) => readRows(read, state.link.target, stretches))
  const links = await linkAll(context, state, rows)
  let sent = 0
  for (const row of rows) {
    const lane = findLane(state.flight, row)
    const linked = links.get(row.id)
    // A row that cannot be sent yet leaves a gap, and `depart` lets no later row of its lane pass.
    if (lane === null || linked === undefined || !depart(lane, row.seq)) continue
    send(context, state, lane, carried(row, lane, lives, linked))
    sent += 1
  }
  return sent
}

/** Links to what a row does not carry itself. */
interface Links {
  readonly attachmentUrl: string | null
  readonly body: LinkedBody | null
}

const NO_LINKS: Links = { attachmentUrl: null, body: null }

/**
 * Links expire after a few minutes, so each attempt gets new ones; before any row is sent, because order is by sending.
 * A row whose links cannot be made is missing.
 */
async function linkAll(
  context: BusContext,
  state: RelayState,
  rows: readonly OutboxRow[],
): Promise<ReadonlyMap<string, Links>> {
  const links = new Map<string, Links>()
  forgetOldBodies(state)
  for (const row of rows) {
    if (row.attachment === null && !isLarge(row.body)) {
      links.set(row.id, NO_LINKS)
      continue
    }
    try {
      links.set(row.id, await linkRow(context, state, row))
    } catch (error) {
      context.telemetry.log.warn(
        { id: row.id, error: String(error) },
        'an attachment or a large body cannot be linked yet; its lane waits',
      )
    }
  }
  return links
}

async function linkRow(context: BusContext, state: RelayState, row: OutboxRow): Promise<Links> {
  const { id, attachment, body } = row
  const hasFailed = findLane(state.flight, row)?.hasFailed ?? false
  const attachmentUrl = attachment === null ? null : await presign(context, attachment.objectKey, hasFailed)
  if (attachment !== null && attachmentUrl === null)
    context.telemetry.log.warn({ id }, 'an attachment was deleted; its tell is sent without it')
  if (!isLarge(body)) return { attachmentUrl, body: null }
  const stored = state.stored.get(id) ?? { ...(await storeBody(context, body)), atMs: performance.now() }
  state.stored.set(id, stored)
  return { attachmentUrl, body: await linkTo(context, stored) }
}

/**
 * Null when the object is gone: after a restore from a backup a row may refer to an object that was deleted since. Only the
 * rows of a lane that has failed are checked: the receiver of a missing object fails, and a check is a call to the store.
 */
async function presign({ attachments }: BusContext, objectKey: string, hasFailed: boolean): Promise<string | null> {
  if (attachments === null) throw new Error('openBus was given no object store')
  return hasFailed && !(await attachments.has(objectKey)) ? null : attachments.presign(objectKey)
}

/** Well before their store deletes them. */
const STORED_FOR_MS = 30 * 60_000

function forgetOldBodies({ stored }: RelayState): void {
  const oldestMs = performance.now() - STORED_FOR_MS
  for (const [id, { atMs }] of stored) if (atMs < oldestMs) stored.delete(id)
}

function carried(row: OutboxRow, lane: LaneFlight, lives: Lives, { attachmentUrl, body }: Links): CarriedTell {
  const { attachment, ...rest } = row
  return {
    ...rest,
    fromLife: lives.own,
    toLife: lives.peer,
    attempt: lane.attempt,
    attachment: attachment === null || attachmentUrl === null ? null : { ...attachment, url: attachmentUrl },
    ...(body === null ? {} : { body: '', largeBody: body }),
  }
}

/** Not awaited: the carrier keeps the order of publishing, and the receiver sees a lost message as a gap. */
function send(context: BusContext, state: RelayState, lane: LaneFlight, tell: CarriedTell): void {
  const carrier = context.carrierAt(carrierOfLink(state.link))
  // The carrier discards a second message of one id. Only a retried publish may share an id: a deliberate resend
  // happens because the first was lost at the far side.
  const messageId = `${tell.id}.${state.run}.${lane.attempt}`
  carrier.send(state.link, messageId, encodeTell(tell)).catch((error: unknown) => {
    const nowMs = performance.now()
    if (nowMs > state.pausedUntilMs) {
      const fields = { target: state.link.target, error: String(error) }
      context.telemetry.log.warn(fields, 'publishing a tell failed; sending again')
    }
    state.pausedUntilMs = nowMs + PAUSE_AFTER_FAILURE_MS
    state.isRewindDue = true
  })
}
