import { ping } from '@sealpost/postgres'
import { type OutcomeReport, type RecordedOutcome, recordOutcomes } from '../../../feed/index.ts'
import type { WebhooksContext } from '../../context.ts'
import type { NewDelivery } from '../../model.ts'
import { insertDeliveries } from '../../operations/delivery-log.ts'
import { recordTransitions } from '../../operations/record-transitions.ts'
import type { DeliveryMetrics } from './metrics.ts'

/** The outcome of one event, as its sender reports it. */
export interface Outcome {
  readonly report: OutcomeReport
  /** The row of the log of deliveries; null when nothing was sent. */
  readonly delivery: NewDelivery | null
  /** Why it failed, in one sentence. */
  readonly error: string | null
}

export interface WrittenOutcome extends RecordedOutcome {
  /** See [Note: leases are counted from before]. */
  readonly leaseEndsMs: number
}

export interface OutcomeWriter {
  /** Resolves when the outcome is durable. Null when it was given up: the event may then be sent again. */
  write(outcome: Outcome, leaseEndsMs: number): Promise<WrittenOutcome | null>
  /** From now on gives up after a few seconds, so that a process without its database can end. */
  hurry(): void
  /** Resolves when no outcome waits any more. */
  drained(): Promise<void>
}

interface Waiting {
  readonly outcome: Outcome
  readonly giveUpMs: number
  readonly answer: PromiseWithResolvers<WrittenOutcome | null>
  refusals: number
}

export interface OutcomeWriterContext extends Pick<
  WebhooksContext,
  'database' | 'clock' | 'ids' | 'log' | 'monotonicMs'
> {
  readonly probeDelayMs: number
  readonly metrics: DeliveryMetrics
}

const BATCH = 500
/** A late outcome changes nothing once another worker holds the queue, so retries beyond the lease are safe. */
const BEYOND_LEASE_MS = 30_000
const HURRY_MS = 5_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** An outcome that a reachable database refused this often in a batch is written alone. */
const REFUSALS_IN_BATCH = 2

/**
 * [Note: outcome writer] The outcome of an event is durable before the next event of its webhook is sent, so a killed
 * worker repeats at most one delivery per webhook. One transaction at a time writes the outcomes of all senders; outcomes
 * that arrive meanwhile form the next batch. Without a database they wait. When the database refuses a batch twice, each
 * outcome of it is retried alone with its own pauses, so that a permanently refused one delays no other.
 */
export function openOutcomeWriter(context: OutcomeWriterContext): OutcomeWriter {
  let hurryUntilMs = Number.POSITIVE_INFINITY
  const alone = openAlone(context, write, giveUpAt)
  const batched = openBatched(context, write, giveUpAt, alone)

  function giveUpAt(waiting: Waiting): number {
    return Math.min(waiting.giveUpMs, hurryUntilMs)
  }
  async function write(batch: readonly Waiting[]): Promise<readonly WrittenOutcome[]> {
    const written = await writeBatch(
      context,
      batch.map(({ outcome }) => outcome),
    )
    context.metrics.written(batch.length)
    return written
  }
  return {
    write(outcome, leaseEndsMs) {
      const answer = Promise.withResolvers<WrittenOutcome | null>()
      batched.put({ outcome, answer, giveUpMs: leaseEndsMs + BEYOND_LEASE_MS, refusals: 0 })
      return answer.promise
    },
    hurry() {
      hurryUntilMs = context.monotonicMs() + HURRY_MS
    },
    async drained() {
      await batched.idle()
      await alone.idle()
    },
  }
}

interface Line {
  put(waiting: Waiting): void
  idle(): Promise<void>
}

type Write = (batch: readonly Waiting[]) => Promise<readonly WrittenOutcome[]>
type GiveUpAt = (waiting: Waiting) => number

function openBatched(
  { database, log, monotonicMs }: OutcomeWriterContext,
  write: Write,
  giveUpAt: GiveUpAt,
  alone: Line,
): Line {
  const waiting: Waiting[] = []
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (waiting.length > 0) {
      const isWritten = await attempt(waiting.splice(0, BATCH))
      pauseMs = isWritten ? FIRST_PAUSE_MS : longer(pauseMs)
      if (!isWritten) await pause(pauseMs)
    }
    running = null
  }

  async function attempt(batch: readonly Waiting[]): Promise<boolean> {
    try {
      const written = await write(batch)
      for (const [index, { answer }] of batch.entries()) answer.resolve(written[index] ?? null)
      return true
    } catch (error) {
      log.warn({ err: error, count: batch.length }, 'outcomes of deliveries could not be written; retrying')
      await putBack(batch)
      return false
    }
  }

  async function putBack(batch: readonly Waiting[]): Promise<void> {
    const isReachable = await ping(database).then(
      () => true,
      () => false,
    )
    for (const one of batch.toReversed()) {
      if (isReachable) one.refusals += 1
      if (monotonicMs() >= giveUpAt(one)) one.answer.resolve(null)
      else if (one.refusals >= REFUSALS_IN_BATCH) alone.put(one)
      else waiting.unshift(one)
    }
  }

  return {
    put(one) {
      waiting.push(one)
      // In the next turn of the event loop, so that outcomes of other sockets join the batch.
      running ??= new Promise<void>((resolve) => void setImmediate(resolve)).then(run)
    },
    async idle() {
      for (let work = running; work !== null; work = running) await work
    },
  }
}

/** Writes take turns, so they need at most one connection; an outcome that pauses delays no other. */
function openAlone({ log, monotonicMs }: OutcomeWriterContext, write: Write, giveUpAt: GiveUpAt): Line {
  const running = new Set<Promise<void>>()
  let turn: Promise<unknown> = Promise.resolve()

  function isGivenUp(one: Waiting): boolean {
    if (monotonicMs() < giveUpAt(one)) return false
    one.answer.resolve(null)
    return true
  }

  async function attempt(one: Waiting): Promise<boolean> {
    // The writes before it may have taken long.
    if (isGivenUp(one)) return true
    try {
      const [written] = await write([one])
      one.answer.resolve(written ?? null)
      return true
    } catch (error) {
      log.warn({ err: error }, 'the outcome of a delivery could not be written; retrying')
      return isGivenUp(one)
    }
  }

  async function run(one: Waiting): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = longer(pauseMs)) {
      const attempted = turn.then(() => attempt(one))
      turn = attempted
      if (await attempted) return
      await pause(pauseMs)
    }
  }

  return {
    put(one) {
      const task = run(one).finally(() => running.delete(task))
      running.add(task)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function longer(pauseMs: number): number {
  return Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

/** In the common lock order: the feed's rows first, the services' logs last. */
function writeBatch(context: OutcomeWriterContext, outcomes: readonly Outcome[]): Promise<readonly WrittenOutcome[]> {
  return context.database.transaction(async (tx) => {
    const askedMs = context.monotonicMs()
    const recorded = await recordOutcomes(
      context,
      tx,
      outcomes.map(({ report }) => report),
    )
    await insertDeliveries(
      tx,
      outcomes.flatMap(({ delivery }) => delivery ?? []),
    )
    const at = context.clock.now()
    const transitions = recorded.flatMap(({ name, transition }, index) =>
      transition === null ? [] : [{ name, ...transition, at, lastError: outcomes[index]?.error ?? null }],
    )
    if (transitions.length > 0) await recordTransitions(context, tx, transitions)
    return recorded.map((one) => ({ ...one, leaseEndsMs: askedMs + one.leasedForMs }))
  })
}
