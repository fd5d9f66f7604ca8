import type { BusContext } from '../context.ts'
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
  const urls = await presignAll(context, rows)
  let sent = 0
  for (const row of rows) {
    const lane = findLane(state.flight, row)
    const url = urls.get(row.id) ?? null
    const isReady = row.attachment === null || url !== null
    // A row that cannot be sent yet leaves a gap, and `depart` lets no later row of its lane pass.
    if (lane === null || !isReady || !depart(lane, row.seq)) continue
    send(context, state, lane, carried(row, lane, lives, url))
    sent += 1
  }
  return sent
}

/**
 * Links expire after a few minutes, so each attempt gets a new one; before any row is sent, because order is by
 * sending.
 */
async function presignAll(context: BusContext, rows: readonly OutboxRow[]): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>()
  for (const { id, attachment } of rows) {
    if (attachment === null) continue
    const url = await context.attachments?.presign(attachment.objectKey).catch((error: unknown) => {
      context.telemetry.log.warn({ id, error: String(error) }, 'an attachment cannot be linked yet; its lane waits')
    })
    if (url !== undefined) urls.set(id, url)
  }
  return urls
}

function carried(row: OutboxRow, lane: LaneFlight, lives: Lives, url: string | null): CarriedTell {
  const { attachment, ...rest } = row
  return {
    ...rest,
    fromLife: lives.own,
    toLife: lives.peer,
    attempt: lane.attempt,
    attachment: attachment === null || url === null ? null : { ...attachment, url },
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
