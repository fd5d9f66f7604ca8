import type { BusNeeds } from '../needs.ts'
import { carrierOfLink } from '../parties.ts'
import type { Lives } from '../session/rules.ts'
import { type OutboxRow, readRows } from '../store/outbox.ts'
import { type CarriedTell, encodeTell } from '../wire.ts'
import { depart, findLane, type LaneFlight, nextStretches } from './flight.ts'
import type { RelayState } from './relay-state.ts'

const PAUSE_AFTER_FAILURE_MS = 500

/** Puts the next rows of every lane that has room onto the carrier; answers how many. */
export async function departRows(needs: BusNeeds, state: RelayState, lives: Lives): Promise<number> {
  const stretches = nextStretches(state.flight)
  if (stretches.length === 0) return 0
  const rows = await needs.database.read((read) => readRows(read, state.link.target, stretches))
  const urls = await presignAll(needs, rows)
  let sent = 0
  for (const row of rows) {
    const lane = findLane(state.flight, row)
    const url = urls.get(row.id) ?? null
    const isReady = row.attachment === null || url !== null
    // A row that cannot go yet leaves a hole, and `depart` lets no later row of its lane past it.
    if (lane === null || !isReady || !depart(lane, row.seq)) continue
    send(needs, state, lane, carried(row, lane, lives, url))
    sent += 1
  }
  return sent
}

/** Links live a few minutes, so each sending gets a fresh one; before any row goes, because order is by sending. */
async function presignAll(needs: BusNeeds, rows: readonly OutboxRow[]): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>()
  for (const { id, attachment } of rows) {
    if (attachment === null) continue
    const url = await needs.attachments?.presign(attachment.objectKey).catch((error: unknown) => {
      needs.telemetry.log.warn({ id, error: String(error) }, 'an attachment cannot be linked yet; its lane waits')
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

/** Not awaited: the carrier keeps the order of publishing, and whatever is lost on the way is a gap to the receiver. */
function send(needs: BusNeeds, state: RelayState, lane: LaneFlight, tell: CarriedTell): void {
  const carrier = needs.carrierAt(carrierOfLink(state.link))
  // The carrier drops a second message of one id. Only a retried publish may be taken for the same: a deliberate resend
  // is one because the first was lost on the far side.
  const messageId = `${tell.id}.${state.run}.${lane.attempt}`
  carrier.send(state.link, messageId, encodeTell(tell)).catch((error: unknown) => {
    const nowMs = performance.now()
    if (nowMs > state.pausedUntilMs) {
      const fields = { target: state.link.target, error: String(error) }
      needs.telemetry.log.warn(fields, 'the carrier did not take a tell; sending again')
    }
    state.pausedUntilMs = nowMs + PAUSE_AFTER_FAILURE_MS
    state.isRewindDue = true
  })
}
