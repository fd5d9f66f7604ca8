import type { Closable } from '../../../../platform/module.ts'
import {
  type ClaimedQueue,
  type ClaimPosition,
  claimQueues,
  type ClaimRequest,
  hasDueQueues,
  type PendingBatch,
  readPendingEvents,
} from '../../../feed/index.ts'
import type { WebhooksContext } from '../../context.ts'
import { recordTransitions } from '../../operations/record-transitions.ts'
import { startBacklogGauge } from './backlog-gauge.ts'
import { openBatcher } from './batch.ts'
import { openEndpointCache } from './endpoint-cache.ts'
import { openFailureLog } from './failure-log.ts'
import { deliveryMetrics } from './metrics.ts'
import { openOutcomeWriter } from './outcome-writer.ts'
import { startPoll } from './poll.ts'
import { runSender, type SenderContext } from './sender.ts'
import { openSenders } from './senders.ts'

/** The size of one claim, so that several workers share the due queues and the transaction stays short. */
const MAX_CLAIMED = 256
const READ_BATCH = 100
/** Endpoints that failed together are probed a few at a time: their time-outs would occupy all slots at once. */
const MAX_CLAIMED_PROBES = 2

/** Part of the worker role: claims the queues of webhooks that are due and runs a sender for each. */
export async function startDelivery(webhooks: WebhooksContext): Promise<Closable> {
  const { database, settings, telemetry, log, monotonicMs } = webhooks
  const limits = { live: settings.WEBHOOK_CONCURRENCY, probes: settings.WEBHOOK_PROBES }
  const senders = openSenders(limits, monotonicMs)
  const position: ClaimPosition = { lastService: null }
  const stopping = new AbortController()
  const gauge = startBacklogGauge(webhooks)
  const metrics = deliveryMetrics(telemetry, () => senders.counts, gauge.last)
  const probeDelayMs = settings.WEBHOOK_PROBE_DELAY_SECONDS * 1000
  const outcomes = openOutcomeWriter({ ...webhooks, probeDelayMs, metrics })
  const senderContext: Omit<SenderContext, 'watch'> = {
    ...webhooks,
    endpoints: openEndpointCache(webhooks),
    batches: openBatches(webhooks),
    outcomes,
    metrics,
    failures: openFailureLog(log, webhooks.monotonicMs),
    isStopping: () => stopping.signal.aborted,
  }

  let isIdle = false

  /** Whether there may be more to claim right now. */
  async function claim(): Promise<boolean> {
    const live = roomOf(limits.live, senders.counts.live)
    const probes = Math.min(MAX_CLAIMED_PROBES, roomOf(limits.probes, senders.counts.probes))
    if ((live === 0 && probes === 0) || (await webhooks.isPaused())) return false
    // In a quiet region a poll is one statement without locks.
    if (isIdle && !(await database.read((read) => hasDueQueues(webhooks, read)))) return false
    const claimed = await claimDue(webhooks, { live, probes, shares: senders.shares(), position })
    isIdle = claimed.length === 0
    for (const { leaseEndsMs, ...one } of claimed) {
      senders.add(one, (watch) =>
        runSender({ ...senderContext, watch }, one, leaseEndsMs).catch((error: unknown) => {
          // The lease is left to lapse: a release would let a broken queue be claimed again at once.
          log.error(
            { err: error, webhook_id: one.name.webhookId },
            'the sender of a webhook failed; it is retried when its lease ends',
          )
        }),
      )
    }
    return claimed.length >= MAX_CLAIMED
  }

  const poll = await startPoll(webhooks, {
    claim,
    isSending: () => senders.counts.live + senders.counts.probes > 0,
  })
  return {
    /** Waits for the POSTs in flight and releases all queues, so that other workers continue. */
    async close() {
      stopping.abort()
      outcomes.hurry()
      await poll.close()
      await senders.ended()
      await outcomes.drained()
      await gauge.close()
    },
  }
}

interface Claimed extends ClaimedQueue {
  /** See [Note: leases are counted from before]. */
  readonly leaseEndsMs: number
}

async function claimDue(webhooks: WebhooksContext, request: ClaimRequest): Promise<readonly Claimed[]> {
  return webhooks.database.transaction(async (tx) => {
    const askedMs = webhooks.monotonicMs()
    const claimed = await claimQueues(webhooks, tx, request)
    const at = webhooks.clock.now()
    const transitions = claimed.flatMap(({ name, transition }) =>
      transition === null ? [] : [{ name, ...transition, at, lastError: null }],
    )
    if (transitions.length > 0) await recordTransitions(webhooks, tx, transitions)
    return claimed.map((one) => ({ ...one, leaseEndsMs: askedMs + one.leasedForMs }))
  })
}

/** Null for a deleted queue. */
function openBatches(webhooks: WebhooksContext): SenderContext['batches'] {
  return openBatcher<ClaimedQueue, PendingBatch | null>(READ_BATCH, async (held) => {
    const batches = await readPendingEvents(webhooks, held)
    return held.map(({ name }) => batches.get(name.webhookId) ?? null)
  })
}

function roomOf(limit: number, taken: number): number {
  return Math.max(0, Math.min(MAX_CLAIMED, limit - taken))
}
