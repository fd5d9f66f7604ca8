import type { EventId } from '@sealpost/kernel'
import type { QueuedEvent } from '@sealpost/protocol'
import {
  type ClaimedQueue,
  type OutcomeReport,
  type PendingBatch,
  type PendingEvent,
  type QueueState,
  renderPendingEvents,
  type SendKind,
  sendKind,
} from '../../../feed/index.ts'
import type { WebhooksContext } from '../../context.ts'
import type { Batcher } from './batch.ts'
import type { EndpointCache, FoundEndpoint } from './endpoint-cache.ts'
import type { FailedDelivery, FailureLog } from './failure-log.ts'
import { buildMessage } from './message.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import { failedAttempt, sendMessage, type SendSettings, type SentAttempt } from './send-message.ts'

export interface SenderContext extends Pick<
  WebhooksContext,
  'clock' | 'ids' | 'webhookEgress' | 'feed' | 'log' | 'isPaused' | 'monotonicMs'
> {
  readonly settings: SendSettings
  readonly batches: Batcher<ClaimedQueue, PendingBatch | null>
  readonly endpoints: EndpointCache
  readonly outcomes: OutcomeWriter
  readonly metrics: DeliveryMetrics
  readonly failures: FailureLog
  readonly isStopping: () => boolean
  readonly watch: SenderWatch
}

/** Counts the sender's slot and its POSTs in flight. */
export interface SenderWatch {
  stateIs(state: QueueState): void
  /** Asked after every event. False: the slot is already given to another sender. */
  mayStay(): boolean
  inFlight(change: 1 | -1): void
}

/** Sends the pending events of one claimed queue. */
interface Sender {
  readonly claimed: ClaimedQueue
  epoch: number
  state: QueueState
  leaseEndsMs: number
}

const MARGIN_MS = 2_000
/** Events that were rendered longer ago are rendered again. */
const FRESH_MS = 1_000
const FIRST_RETRY_MS = 500

/**
 * Sends one event after the other until none is left, another worker holds the queue, or it has to wait.
 *
 * [Note: leases are counted from before] The database answers how long a lease lasts from the statement on. The answer may
 * arrive much later, when the process or the commit was slow, so the end is counted from before the statement was sent.
 */
export async function runSender(context: SenderContext, claimed: ClaimedQueue, leaseEndsMs: number): Promise<void> {
  const { epoch, state } = claimed
  const sender: Sender = { claimed, epoch, state, leaseEndsMs }
  while (await runBatch(context, sender));
}

/** Whether to read another batch. */
async function runBatch(context: SenderContext, sender: Sender): Promise<boolean> {
  const { claimed, epoch } = sender
  const [batch, endpoint] = await withRetries(context, sender, () =>
    Promise.all([context.batches.load(claimed), context.endpoints.find(claimed.name, epoch)]),
  )
  if (batch === null || endpoint === null) return false
  const { events, scannedTo, blockedForMs } = batch
  const end = { scannedTo, blockedForMs }
  if (events.length === 0) return report(context, sender, { end })
  const render = openRenderer(context, sender, events)
  for (const [index, event] of events.entries()) {
    const rendered = await withRetries(context, sender, () => render(index))
    if (!(await mayStart(context, sender))) return report(context, sender, { isRelease: true })
    const sent = rendered === null ? null : await deliver(context, sender, endpoint, event, rendered)
    // It was never sent, so it has no outcome: the next holder of the queue sends it.
    if (sent?.errorClass === 'aborted') return report(context, sender, { isRelease: true })
    const isLast = index === events.length - 1
    const goesOn = await report(context, sender, { event, sent, end: isLast ? end : null })
    if (!goesOn) return false
    // The queue was changed: the rest of the batch may be outdated.
    if (sender.epoch !== epoch) return true
  }
  return true
}

/**
 * Retries a failed read while the lease leaves time for a POST. When the database is back after a moment, its senders are
 * still there; releasing them would cost each queue a whole lease.
 */
async function withRetries<T>(context: SenderContext, sender: Sender, read: () => Promise<T>): Promise<T> {
  const { webhookId } = sender.claimed.name
  for (let pauseMs = FIRST_RETRY_MS; ; pauseMs *= 2) {
    try {
      return await read()
    } catch (error) {
      const leftMs = sender.leaseEndsMs - context.monotonicMs() - leaseNeededMs(context)
      if (context.isStopping() || leftMs < pauseMs) throw error
      context.log.warn({ err: error, webhook_id: webhookId }, 'the events of a webhook could not be read; retrying')
      await new Promise((resolve) => void setTimeout(resolve, pauseMs))
    }
  }
}

/** A POST starts only if the lease outlives it, and not while writes are paused. */
async function mayStart(context: SenderContext, sender: Sender): Promise<boolean> {
  if (context.isStopping() || (await context.isPaused())) return false
  return sender.leaseEndsMs - context.monotonicMs() >= leaseNeededMs(context)
}

/** The time limit of a POST, and time to record its outcome. */
function leaseNeededMs({ settings }: SenderContext): number {
  return settings.WEBHOOK_TOTAL_MS + MARGIN_MS
}

interface Sent extends SentAttempt {
  readonly kind: SendKind
  readonly rendered: QueuedEvent
}

async function deliver(
  context: SenderContext,
  { claimed, state, leaseEndsMs }: Sender,
  endpoint: NonNullable<FoundEndpoint>,
  event: PendingEvent,
  rendered: QueuedEvent,
): Promise<Sent> {
  const kind = sendKind(state, event)
  const at = context.clock.now()
  const content = { event: rendered, durableId: event.id, isLive: kind === 'live', at }
  context.watch.inFlight(1)
  const attempt = endpoint.ok
    ? await sendMessage(
        context,
        () => buildMessage(context.ids, endpoint.value, content),
        () => leaseEndsMs - context.monotonicMs() >= MARGIN_MS,
      )
    : { ...failedAttempt('config', endpoint.refusal), durationMs: 0, leftAfterMs: null }
  context.watch.inFlight(-1)
  context.metrics.attempted(kind, attempt)
  logOutcome(context, claimed, { event: rendered.event, kind, attempt })
  if (kind === 'live' && attempt.leftAfterMs !== null)
    context.metrics.left((at + attempt.leftAfterMs - event.at) / 1_000)
  if (attempt.cause !== undefined) {
    context.log.error({ err: attempt.cause, webhook_id: claimed.name.webhookId }, 'a delivery failed with an error')
  }
  return { ...attempt, kind, rendered }
}

/** An attempt that this process aborted has not failed: it was never sent. */
function logOutcome(
  { failures }: SenderContext,
  { name }: ClaimedQueue,
  { event, kind, attempt }: Pick<FailedDelivery, 'event' | 'kind'> & { readonly attempt: SentAttempt },
): void {
  if (attempt.isDelivered) failures.delivered(name.webhookId)
  else if (attempt.errorClass !== 'aborted') failures.failed({ name, event, kind, attempt })
}

interface Step {
  readonly event?: PendingEvent
  readonly sent?: Sent | null
  readonly end?: OutcomeReport['end']
  readonly isRelease?: boolean
}

/** Whether this sender still holds the queue and there is more to do. */
async function report(context: SenderContext, sender: Sender, { event, sent, end, isRelease }: Step): Promise<boolean> {
  const { name, channel, token } = sender.claimed
  const isLast = isRelease === true || context.isStopping() || !context.watch.mayStay()
  const written = await context.outcomes.write(
    {
      report: {
        name,
        channel,
        token,
        epoch: sender.epoch,
        sent: event === undefined ? null : { no: event.no, outcome: outcomeOf(sent) },
        end: end ?? null,
        isRelease: isLast,
      },
      delivery: event === undefined || !sent ? null : deliveryOf(context, sender, event, sent),
      error: sent?.error ?? null,
    },
    sender.leaseEndsMs,
  )
  if (written === null || !written.isMine || !written.mayGoOn || isLast) return false
  sender.epoch = written.epoch
  sender.leaseEndsMs = written.leaseEndsMs
  if (sender.state !== written.state) context.watch.stateIs(written.state)
  sender.state = written.state
  return true
}

function outcomeOf(sent: Sent | null | undefined): 'delivered' | 'failed' | 'skipped' {
  if (!sent) return 'skipped'
  return sent.isDelivered ? 'delivered' : 'failed'
}

function deliveryOf({ ids, clock }: SenderContext, { claimed }: Sender, event: PendingEvent, sent: Sent) {
  const { kind, rendered, httpStatus, errorClass, durationMs } = sent
  const { name } = claimed
  const at = clock.now()
  return {
    id: ids.uuid(),
    name,
    eventId: event.id,
    event: rendered.event,
    kind,
    httpStatus,
    errorClass,
    durationMs,
    at,
  }
}

/** Renders the rest of the batch at once, and again when that is old. Null for an event that is skipped. */
function openRenderer(
  { feed, monotonicMs }: SenderContext,
  { claimed }: Sender,
  events: readonly PendingEvent[],
): (index: number) => Promise<QueuedEvent | null> {
  let rendered: ReadonlyMap<EventId, QueuedEvent> = new Map()
  let renderedMs = Number.NEGATIVE_INFINITY
  return async (index) => {
    const nowMs = monotonicMs()
    if (nowMs - renderedMs > FRESH_MS) {
      rendered = await renderPendingEvents(feed, claimed.name, events.slice(index))
      // Set after the call: after a failure, older events must not count as fresh.
      renderedMs = nowMs
    }
    const event = events[index]
    return event === undefined ? null : (rendered.get(event.id) ?? null)
  }
}
