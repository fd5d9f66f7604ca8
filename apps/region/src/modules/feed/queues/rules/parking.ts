import { type Instant, instant } from '@sealpost/kernel'
import { END } from '../../rules/ranges.ts'
import { flowOf, type QueueState, type WebhookQueue } from '../model.ts'

/** The first check of a backlog's age after it was parked: no event expires earlier. */
export const FIRST_CHECK_MS = 3_600_000

export interface Moment {
  readonly now: Instant
  /** The last number of the service's feed, read after the queue was locked. */
  readonly lastNo: number
  /** From a failure to the next probe. */
  readonly probeDelayMs: number
}

/**
 * [Note: parking] A queue is parked when a delivery fails and when the company pauses or disables the webhook: all pending
 * and all future events become backlog, until a probe succeeds.
 */
export function park(queue: WebhookQueue, { now }: Moment): WebhookQueue {
  return queue.parkedTo === END
    ? queue
    : { ...queue, parkedTo: END, alertAt: queue.alertAt ?? instant(now + FIRST_CHECK_MS) }
}

/** A delivery failed: the queue is parked and released until its next probe. */
export function parkAsBad(queue: WebhookQueue, at: Moment): WebhookQueue {
  const bad = park(withState(queue, 'bad', at.now), at)
  return release(bad, flowOf(queue) === 'open' ? instant(at.now + at.probeDelayMs) : null)
}

/** A probe succeeded: the backlog ends at the last number, and later events are live. */
export function unpark(queue: WebhookQueue, { now, lastNo }: Moment): WebhookQueue {
  const running = queue.state === 'running' ? queue : withState(queue, 'running', now)
  if (flowOf(queue) !== 'open') return running
  return { ...running, parkedTo: lastNo, alertAt: null, purgedAt: null }
}

/** No event is left to probe with. If all of them expired, the loss must still be counted, so `alertAt` stays. */
export function unparkUnproved(queue: WebhookQueue, at: Moment): WebhookQueue {
  const { alertAt, purgedAt } = queue
  return { ...unpark(queue, at), alertAt: alertAt === null ? null : at.now, purgedAt }
}

/** A change may have mended the endpoint: probe it with the backlog; without a backlog the queue is taken to run. */
export function retry(queue: WebhookQueue, hasBacklog: boolean, at: Moment): WebhookQueue {
  if (flowOf(queue) !== 'open') return raiseEpoch(queue)
  if (queue.state === 'running' && !hasBacklog && queue.parkedTo !== END) return raiseRetryEpoch(queue)
  if (!hasBacklog) return raiseRetryEpoch({ ...unparkUnproved(queue, at), dueAt: null })
  const unknown = queue.state === 'unknown' ? queue : withState(queue, 'unknown', at.now)
  return raiseRetryEpoch({ ...park(unknown, at), dueAt: queue.isLeased ? null : at.now })
}

export function withState(queue: WebhookQueue, state: QueueState, since: Instant): WebhookQueue {
  return { ...queue, state, since }
}

export function release(queue: WebhookQueue, dueAt: Instant | null): WebhookQueue {
  return { ...queue, isLeased: false, dueAt }
}

export function raiseEpoch(queue: WebhookQueue): WebhookQueue {
  return { ...queue, epoch: queue.epoch + 1 }
}

export function raiseRetryEpoch(queue: WebhookQueue): WebhookQueue {
  return { ...queue, epoch: queue.epoch + 1, retryEpoch: queue.epoch + 1 }
}
