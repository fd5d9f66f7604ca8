import { ping } from '@sealpost/postgres'
import { type OutletReport, type SettledOutlet, settleOutlets } from '../../feed/index.ts'
import { insertDeliveries, type NewDelivery } from '../delivery-log.ts'
import { recordTransitions } from '../health.ts'
import type { DeliveryMetrics } from './metrics.ts'
import type { DeliveryNeeds } from './needs.ts'

/** What became of one event, as its lane reports it. */
export interface Outcome {
  readonly report: OutletReport
  /** The row of the delivery log; null when nothing was sent. */
  readonly delivery: NewDelivery | null
  /** Why it failed, for people. */
  readonly error: string | null
}

export interface Settlement extends SettledOutlet {
  /** See [Note: leases are counted from before]. */
  readonly leaseEndsMs: number
}

export interface Ledger {
  /** Resolves when it is durable. Null when it was given up: what was sent may then be sent again. */
  settle(outcome: Outcome, leaseEndsMs: number): Promise<Settlement | null>
  /** From now on gives up after a few seconds, so that a process without its database can end. */
  hurry(): void
  /** When nothing waits any more. */
  drained(): Promise<void>
}

interface Waiting {
  readonly outcome: Outcome
  readonly giveUpMs: number
  readonly answer: PromiseWithResolvers<Settlement | null>
  refusals: number
}

type LedgerNeeds = Pick<DeliveryNeeds, 'database' | 'clock' | 'ids' | 'graceMs' | 'telemetry' | 'monotonicMs'>

const TOGETHER = 500
/** A late outcome changes nothing once another worker holds the webhook, so trying beyond the lease does no harm. */
const BEYOND_LEASE_MS = 30_000
const HURRY_MS = 5_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000
/** Refused this often by a database that answers, an outcome is tried alone. */
const REFUSALS_TOGETHER = 2

/**
 * [Note: the ledger] An event's outcome is durable before the next event of its webhook is sent, so that a killed worker
 * repeats one delivery per webhook at most. The outcomes of all lanes go together into one transaction at a time; those
 * that come meanwhile go into the next. Without a database they wait. When the database refuses a round twice, each of it
 * is set apart and tried alone, with pauses of its own: the one that is refused for good holds up nobody.
 */
export function openLedger(needs: LedgerNeeds, metrics: DeliveryMetrics): Ledger {
  let hurryUntilMs = Number.POSITIVE_INFINITY
  const apart = openApart(needs, write, giveUpAt)
  const together = openTogether(needs, write, giveUpAt, apart)

  function giveUpAt(waiting: Waiting): number {
    return Math.min(waiting.giveUpMs, hurryUntilMs)
  }
  async function write(round: readonly Waiting[]): Promise<readonly Settlement[]> {
    const settled = await writeRound(
      needs,
      round.map(({ outcome }) => outcome),
    )
    metrics.settled(round.length)
    return settled
  }
  return {
    settle(outcome, leaseEndsMs) {
      const answer = Promise.withResolvers<Settlement | null>()
      together.put({ outcome, answer, giveUpMs: leaseEndsMs + BEYOND_LEASE_MS, refusals: 0 })
      return answer.promise
    },
    hurry() {
      hurryUntilMs = needs.monotonicMs() + HURRY_MS
    },
    async drained() {
      await together.idle()
      await apart.idle()
    },
  }
}

interface Queue {
  put(waiting: Waiting): void
  idle(): Promise<void>
}

type Write = (round: readonly Waiting[]) => Promise<readonly Settlement[]>
type GiveUpAt = (waiting: Waiting) => number

function openTogether(
  { database, telemetry, monotonicMs }: LedgerNeeds,
  write: Write,
  giveUpAt: GiveUpAt,
  apart: Queue,
): Queue {
  const waiting: Waiting[] = []
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (waiting.length > 0) {
      const isWritten = await attempt(waiting.splice(0, TOGETHER))
      pauseMs = isWritten ? FIRST_PAUSE_MS : longer(pauseMs)
      if (!isWritten) await pause(pauseMs)
    }
    running = null
  }

  async function attempt(round: readonly Waiting[]): Promise<boolean> {
    try {
      const settled = await write(round)
      for (const [index, { answer }] of round.entries()) answer.resolve(settled[index] ?? null)
      return true
    } catch (error) {
      telemetry.log.warn({ err: error, count: round.length }, 'outcomes of deliveries could not be written yet')
      await keep(round)
      return false
    }
  }

  async function keep(round: readonly Waiting[]): Promise<void> {
    const isThere = await ping(database).then(
      () => true,
      () => false,
    )
    for (const one of round.toReversed()) {
      if (isThere) one.refusals += 1
      if (monotonicMs() >= giveUpAt(one)) one.answer.resolve(null)
      else if (one.refusals >= REFUSALS_TOGETHER) apart.put(one)
      else waiting.unshift(one)
    }
  }

  return {
    put(one) {
      waiting.push(one)
      // After this turn of the event loop: what other sockets brought in it goes along.
      running ??= new Promise<void>((resolve) => void setImmediate(resolve)).then(run)
    },
    async idle() {
      for (let work = running; work !== null; work = running) await work
    },
  }
}

/** They take turns at writing, so that they need one connection at most; whoever pauses is not in the way. */
function openApart({ telemetry, monotonicMs }: LedgerNeeds, write: Write, giveUpAt: GiveUpAt): Queue {
  const running = new Set<Promise<void>>()
  let turn: Promise<unknown> = Promise.resolve()

  function isGivenUp(one: Waiting): boolean {
    if (monotonicMs() < giveUpAt(one)) return false
    one.answer.resolve(null)
    return true
  }

  async function attempt(one: Waiting): Promise<boolean> {
    // Those before it may have taken long.
    if (isGivenUp(one)) return true
    try {
      const [settled] = await write([one])
      one.answer.resolve(settled ?? null)
      return true
    } catch (error) {
      telemetry.log.warn({ err: error }, 'the outcome of a delivery could not be written yet')
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

/** The feed's rows first, the logs of the services last: everybody locks in this order. */
function writeRound(needs: LedgerNeeds, outcomes: readonly Outcome[]): Promise<readonly Settlement[]> {
  return needs.database.transaction(async (tx) => {
    const askedMs = needs.monotonicMs()
    const settled = await settleOutlets(
      tx,
      needs,
      outcomes.map(({ report }) => report),
    )
    await insertDeliveries(
      tx,
      outcomes.flatMap(({ delivery }) => delivery ?? []),
    )
    const at = needs.clock.now()
    const transitions = settled.flatMap(({ name, transition }, index) =>
      transition === null ? [] : [{ name, ...transition, at, lastError: outcomes[index]?.error ?? null }],
    )
    if (transitions.length > 0) await recordTransitions(tx, needs, transitions)
    return settled.map((one) => ({ ...one, leaseEndsMs: askedMs + one.leasedForMs }))
  })
}
