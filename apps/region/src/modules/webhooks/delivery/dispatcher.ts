import {
  claimOutlets,
  type ClaimedOutlet,
  type ClaimWish,
  hasDueOutlets,
  type OutletBatch,
  readOutletEvents,
  type Round,
} from '../../feed/index.ts'
import { recordTransitions } from '../health.ts'
import { openEndpoints } from './endpoints.ts'
import { gather } from './gather.ts'
import { type LaneNeeds, runLane } from './lane.ts'
import { openLanes } from './lanes.ts'
import { openLedger } from './ledger.ts'
import { deliveryMetrics } from './metrics.ts'
import { DELIVERY_LIMITS, type DeliveryNeeds } from './needs.ts'
import { watchPending } from './pending.ts'
import { startPoll } from './poll.ts'

export interface Delivery {
  /** Waits for the deliveries on their way and lets go of everything, for other workers to go on. */
  close(): Promise<void>
}

/** One claim takes no more, so that several workers share what is due and a transaction stays short. */
const CLAIMED_AT_ONCE = 256
const READ_AT_ONCE = 100
/** Endpoints that failed together are tried again a few at a time: their time limits would hold up everybody at once. */
const PROBES_AT_ONCE = 2

/** Part of the worker role: claims webhooks that have something to send and runs a lane for each. */
export function startDelivery(needs: DeliveryNeeds): Delivery {
  const { log } = needs.telemetry
  const limits = { ...DELIVERY_LIMITS, ...needs.limits }
  const lanes = openLanes(limits, needs.monotonicMs)
  const round: Round = { lastService: null }
  const stopping = new AbortController()
  const pending = watchPending(needs)
  const metrics = deliveryMetrics(needs.telemetry, () => lanes.counts, pending.last)
  const ledger = openLedger(needs, metrics)
  const laneNeeds: Omit<LaneNeeds, 'watch'> = {
    ...needs,
    endpoints: openEndpoints(needs),
    batches: openBatches(needs),
    ledger,
    metrics,
    isStopping: () => stopping.signal.aborted,
  }

  let isIdle = false

  /** Whether there may be more to claim right now. */
  async function claim(): Promise<boolean> {
    const live = roomOf(limits.live, lanes.counts.live)
    const probes = Math.min(PROBES_AT_ONCE, roomOf(limits.probes, lanes.counts.probes))
    if ((live === 0 && probes === 0) || (await needs.isPaused())) return false
    // A quiet region is looked at by one statement that locks nothing.
    if (isIdle && !(await needs.database.read((read) => hasDueOutlets(read, needs)))) return false
    const claimed = await claimDue(needs, { live, probes, shares: lanes.shares(), round })
    isIdle = claimed.length === 0
    for (const { leaseEndsMs, ...one } of claimed) {
      lanes.add(one, (watch) =>
        runLane({ ...laneNeeds, watch }, one, leaseEndsMs).catch((error: unknown) => {
          // Its lease ends by itself and it is tried again then; let go at once, a broken one would spin.
          log.error({ err: error, webhook_id: one.name.webhookId }, 'a webhook was left alone; it is tried again')
        }),
      )
    }
    return claimed.length >= CLAIMED_AT_ONCE
  }

  const poll = startPoll(limits.pollEveryMs, claim, (error) => {
    log.warn({ err: error }, 'webhooks that have something to send could not be looked for')
  })
  return {
    async close() {
      stopping.abort()
      ledger.hurry()
      await poll.stop()
      await lanes.ended()
      await ledger.drained()
      await pending.close()
    },
  }
}

interface Claimed extends ClaimedOutlet {
  /** See [Note: leases are counted from before]. */
  readonly leaseEndsMs: number
}

async function claimDue(needs: DeliveryNeeds, wish: ClaimWish): Promise<readonly Claimed[]> {
  return needs.database.transaction(async (tx) => {
    const askedMs = needs.monotonicMs()
    const claimed = await claimOutlets(tx, needs, wish)
    const at = needs.clock.now()
    const transitions = claimed.flatMap(({ name, transition }) =>
      transition === null ? [] : [{ name, ...transition, at, lastError: null }],
    )
    if (transitions.length > 0) await recordTransitions(tx, needs, transitions)
    return claimed.map((one) => ({ ...one, leaseEndsMs: askedMs + one.leasedForMs }))
  })
}

/** Null for one that is gone. */
function openBatches(needs: DeliveryNeeds): LaneNeeds['batches'] {
  return gather<ClaimedOutlet, OutletBatch | null>(READ_AT_ONCE, async (held) => {
    const batches = await readOutletEvents(needs, held)
    return held.map(({ name }) => batches.get(name.webhookId) ?? null)
  })
}

function roomOf(most: number, taken: number): number {
  return Math.max(0, Math.min(CLAIMED_AT_ONCE, most - taken))
}
