import type { EventId } from '@sealpost/kernel'
import type { QueuedEvent } from '@sealpost/protocol'
import {
  type ClaimedOutlet,
  type OutletBatch,
  type OutletEvent,
  type OutletReport,
  type OutletState,
  type SendKind,
  sendKind,
  tellOutletEvents,
} from '../../feed/index.ts'
import type { FoundEndpoint, KnownEndpoints } from './endpoints.ts'
import type { Gathering } from './gather.ts'
import type { Ledger } from './ledger.ts'
import { buildMessage } from './message.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { DeliveryNeeds } from './needs.ts'
import { failedAttempt } from './outcome.ts'
import { type SentAttempt, sendMessage, TOTAL_TIMEOUT_MS } from './send.ts'

export interface LaneNeeds extends Pick<
  DeliveryNeeds,
  'clock' | 'ids' | 'egress' | 'feed' | 'telemetry' | 'isPaused' | 'monotonicMs'
> {
  readonly batches: Gathering<ClaimedOutlet, OutletBatch | null>
  readonly endpoints: KnownEndpoints
  readonly ledger: Ledger
  readonly metrics: DeliveryMetrics
  readonly isStopping: () => boolean
  /** Told of every step between probing and running, and of POSTs that start and end; says when others come first. */
  readonly watch: LaneWatch
}

export interface LaneWatch {
  stateIs(state: OutletState): void
  /** Asked after every event. Whoever may not stay has lost its place with that. */
  mayStay(): boolean
  inFlight(change: 1 | -1): void
}

/** One claimed webhook on its way through what it has waiting. */
interface Lane {
  readonly claimed: ClaimedOutlet
  epoch: number
  state: OutletState
  leaseEndsMs: number
}

const MARGIN_MS = 2_000
/** What an answer may take, and time to say so. */
const LEASE_NEEDED_MS = TOTAL_TIMEOUT_MS + MARGIN_MS
/** Older answers of the resolvers are asked for again. */
const FRESH_MS = 1_000
const READ_AGAIN_MS = 500

/**
 * Sends one event after the other until nothing is left, somebody else holds the webhook, or it has to wait.
 *
 * [Note: leases are counted from before] The database says how long a lease lasts from the statement on. The answer may
 * come much later, when the process or the commit stood still, so its end is counted from before the statement was sent.
 */
export async function runLane(needs: LaneNeeds, claimed: ClaimedOutlet, leaseEndsMs: number): Promise<void> {
  const { epoch, state } = claimed
  const lane: Lane = { claimed, epoch, state, leaseEndsMs }
  while (await runBatch(needs, lane));
}

/** Whether there is more to look at. */
async function runBatch(needs: LaneNeeds, lane: Lane): Promise<boolean> {
  const { claimed, epoch } = lane
  const [batch, endpoint] = await persist(needs, lane, () =>
    Promise.all([needs.batches.ask(claimed), needs.endpoints.find(claimed.name, epoch)]),
  )
  if (batch === null || endpoint === null) return false
  const { events, lookedTo, blockedForMs } = batch
  const end = { lookedTo, blockedForMs }
  if (events.length === 0) return settle(needs, lane, { end })
  const tell = freshTellings(needs, lane, events)
  for (const [index, event] of events.entries()) {
    const told = await persist(needs, lane, () => tell(index))
    if (!(await mayStart(needs, lane))) return settle(needs, lane, { isRelease: true })
    const sent = told === null ? null : await deliver(needs, lane, endpoint, event, told)
    // It never left, so it has no outcome: whoever holds the webhook by now sends it.
    if (sent?.errorClass === 'aborted') return settle(needs, lane, { isRelease: true })
    const isLast = index === events.length - 1
    const goesOn = await settle(needs, lane, { event, sent, end: isLast ? end : null })
    if (!goesOn) return false
    // Changed from outside: what is left of the batch may not be what is to be sent now.
    if (lane.epoch !== epoch) return true
  }
  return true
}

/**
 * A read that fails is tried again while there is time for a POST: a database that is back after a moment finds its
 * lanes waiting, where letting each of them go would cost it a whole lease.
 */
async function persist<T>(needs: LaneNeeds, lane: Lane, read: () => Promise<T>): Promise<T> {
  const { webhookId } = lane.claimed.name
  for (let pauseMs = READ_AGAIN_MS; ; pauseMs *= 2) {
    try {
      return await read()
    } catch (error) {
      const leftMs = lane.leaseEndsMs - needs.monotonicMs() - LEASE_NEEDED_MS
      if (needs.isStopping() || leftMs < pauseMs) throw error
      needs.telemetry.log.warn({ err: error, webhook_id: webhookId }, 'the events of a webhook could not be read yet')
      await new Promise((resolve) => void setTimeout(resolve, pauseMs))
    }
  }
}

/** A POST starts only while its lease outlives it, and not when the region is to write nothing. */
async function mayStart({ isStopping, isPaused, monotonicMs }: LaneNeeds, lane: Lane): Promise<boolean> {
  if (isStopping() || (await isPaused())) return false
  return lane.leaseEndsMs - monotonicMs() >= LEASE_NEEDED_MS
}

interface Sent extends SentAttempt {
  readonly kind: SendKind
  readonly told: QueuedEvent
}

async function deliver(
  needs: LaneNeeds,
  { claimed, state, leaseEndsMs }: Lane,
  endpoint: NonNullable<FoundEndpoint>,
  event: OutletEvent,
  told: QueuedEvent,
): Promise<Sent> {
  const kind = sendKind(state, event)
  const at = needs.clock.now()
  const telling = { event: told, durableId: event.id, isLive: kind === 'live', at }
  needs.watch.inFlight(1)
  const attempt = endpoint.ok
    ? await sendMessage(
        needs,
        () => buildMessage(needs.ids, endpoint.value, telling),
        () => leaseEndsMs - needs.monotonicMs() >= MARGIN_MS,
      )
    : { ...failedAttempt('config', endpoint.refusal), durationMs: 0, leftAfterMs: null }
  needs.watch.inFlight(-1)
  needs.metrics.attempted(kind, attempt)
  if (kind === 'live' && attempt.leftAfterMs !== null) needs.metrics.left((at + attempt.leftAfterMs - event.at) / 1_000)
  if (attempt.cause !== undefined) {
    needs.telemetry.log.error(
      { err: attempt.cause, webhook_id: claimed.name.webhookId },
      'a delivery could not be made',
    )
  }
  return { ...attempt, kind, told }
}

interface Step {
  readonly event?: OutletEvent
  readonly sent?: Sent | null
  readonly end?: OutletReport['end']
  readonly isRelease?: boolean
}

/** Whether this lane still holds the webhook and there is more to do. */
async function settle(needs: LaneNeeds, lane: Lane, { event, sent, end, isRelease }: Step): Promise<boolean> {
  const { name, channel, token } = lane.claimed
  const isLast = isRelease === true || needs.isStopping() || !needs.watch.mayStay()
  const settled = await needs.ledger.settle(
    {
      report: {
        name,
        channel,
        token,
        epoch: lane.epoch,
        sent: event === undefined ? null : { no: event.no, outcome: outcomeOf(sent) },
        end: end ?? null,
        isRelease: isLast,
      },
      delivery: event === undefined || !sent ? null : deliveryOf(needs, lane, event, sent),
      error: sent?.error ?? null,
    },
    lane.leaseEndsMs,
  )
  if (settled === null || !settled.isMine || !settled.mayGoOn || isLast) return false
  lane.epoch = settled.epoch
  lane.leaseEndsMs = settled.leaseEndsMs
  if (lane.state !== settled.state) needs.watch.stateIs(settled.state)
  lane.state = settled.state
  return true
}

function outcomeOf(sent: Sent | null | undefined): 'delivered' | 'failed' | 'skipped' {
  if (!sent) return 'skipped'
  return sent.isDelivered ? 'delivered' : 'failed'
}

function deliveryOf({ ids, clock }: LaneNeeds, { claimed }: Lane, event: OutletEvent, sent: Sent) {
  const { kind, told, httpStatus, errorClass, durationMs } = sent
  const { name } = claimed
  const at = clock.now()
  return { id: ids.uuid(), name, eventId: event.id, event: told.event, kind, httpStatus, errorClass, durationMs, at }
}

/** Null for an event that tells nothing any more. Asked for the rest of the batch at once, and again when that is old. */
function freshTellings(
  { feed, monotonicMs }: LaneNeeds,
  { claimed }: Lane,
  events: readonly OutletEvent[],
): (index: number) => Promise<QueuedEvent | null> {
  let told: ReadonlyMap<EventId, QueuedEvent> = new Map()
  let askedMs = Number.NEGATIVE_INFINITY
  return async (index) => {
    const nowMs = monotonicMs()
    if (nowMs - askedMs > FRESH_MS) {
      told = await tellOutletEvents(feed, claimed.name, events.slice(index))
      // Only now: after a failure the answers of before, or none at all, would pass for fresh ones.
      askedMs = nowMs
    }
    const event = events[index]
    return event === undefined ? null : (told.get(event.id) ?? null)
  }
}
