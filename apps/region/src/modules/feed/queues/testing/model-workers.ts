import type { Draws } from '../../testing/draws.ts'
import { flowOf } from '../model.ts'
import { isParked, type LogBatch, type LoggedEvent } from './model-log.ts'
import { Violation } from './model-oracle.ts'
import { PROBE_DELAY_MS, type World } from './model-world.ts'

const LEASE_MS = 30_000
const RENEW_BELOW_MS = 20_000
const POST_MS = 10_000

interface Flight {
  readonly event: LoggedEvent
  readonly endsAt: number
  /** Whether the endpoint got it, and the outcome that the worker sees. */
  readonly isReceived: boolean
  readonly outcome: 'delivered' | 'failed'
}

type Sent = { readonly no: number; readonly outcome: 'delivered' | 'failed' | 'skipped' } | null

interface Holder {
  readonly token: number
  epoch: number
  leaseEndsAt: number
  /** The retries that the worker knows of. */
  retries: number
  batch: LogBatch | null
  readAt: number
  at: number
  flight: Flight | null
  /** The POST ended and its outcome is not recorded yet. */
  result: Flight | null
}

/** Two workers that act step by step in any order and may be killed between any two steps. */
export class Workers {
  readonly #world: World
  readonly #draws: Draws
  readonly #holders: (Holder | null)[] = [null, null]
  /** The true holder of the queue, independent of the machine. */
  #holder: Holder | null = null

  constructor(world: World, draws: Draws) {
    this.#world = world
    this.#draws = draws
  }

  claim(worker: number): boolean {
    const world = this.#world
    if (this.#holders[worker] !== null) return false
    if (world.isHeadDue) {
      world.isHeadDue = false
      world.apply({ command: 'wake' })
    }
    const isLapsed = world.queue.isLeased && world.leaseEndsAt <= world.now
    const { isMine } = world.apply({ command: 'claim', isLapsed })
    if (isLapsed) {
      world.oracle.excused()
      this.#holder = null
    }
    if (!isMine) return false
    if (flowOf(world.queue) !== 'open') throw new Violation('claimed while it is not open')
    world.leaseEndsAt = world.now + LEASE_MS
    const { token, epoch } = world.queue
    const { retries, leaseEndsAt } = world
    this.#holder = { token, epoch, leaseEndsAt, retries, at: 0, readAt: 0, batch: null, flight: null, result: null }
    this.#holders[worker] = this.#holder
    return true
  }

  /** The next step of a worker. */
  work(worker: number): boolean {
    const holder = this.#holders[worker] ?? null
    const { now } = this.#world
    if (holder === null || holder.flight !== null) return false
    const { result, batch } = holder
    if (result !== null) {
      holder.result = null
      this.#report(worker, holder, { no: result.event.no, outcome: result.outcome })
      return true
    }
    if (batch === null || holder.readAt < now - POST_MS) {
      Object.assign(holder, { batch: this.#world.readBatch(), readAt: now, at: 0 })
      return true
    }
    const event = batch.events[holder.at]
    if (event === undefined) this.#report(worker, holder, null)
    else if (event.isUnresolved) this.#report(worker, holder, { no: event.no, outcome: 'skipped' })
    // A POST that could outlive the lease is not started: the lease lapses.
    else if (holder.leaseEndsAt < now + POST_MS) this.#holders[worker] = null
    else this.#post(holder, event)
    return true
  }

  /** A POST ends; all POSTs end at their time limit. */
  land(worker: number): void {
    const holder = this.#holders[worker] ?? null
    if (holder !== null) this.#land(holder)
  }

  landOld(): void {
    for (const holder of this.#holders)
      if (holder !== null && holder.flight !== null && holder.flight.endsAt <= this.#world.now) this.#land(holder)
  }

  kill(worker: number): void {
    const holder = this.#holders[worker] ?? null
    const { oracle } = this.#world
    if (holder === null) return
    if (holder.flight !== null) {
      oracle.ended()
      if (holder.flight.isReceived && this.#draws.once(2)) oracle.received(holder.flight.event)
    }
    oracle.excused()
    this.#holders[worker] = null
  }

  #post(holder: Holder, event: LoggedEvent): void {
    const { oracle, queue, now, isWell } = this.#world
    const isCurrent = holder.epoch === queue.epoch
    oracle.started(event, { isParked: isParked(queue, event), isLent: this.#world.isLent(event), isCurrent, now })
    const outcome = isWell && !this.#draws.once(12) ? 'delivered' : 'failed'
    holder.flight = { event, isReceived: isWell, outcome, endsAt: now + this.#draws.below(POST_MS) }
  }

  #land(holder: Holder): void {
    const { flight } = holder
    const { oracle } = this.#world
    if (flight === null) return
    oracle.ended()
    if (flight.isReceived) {
      oracle.received(flight.event)
      // The endpoint got it and its 200 was lost.
      if (flight.outcome === 'failed') oracle.excused()
    }
    holder.flight = null
    holder.result = flight
  }

  #report(worker: number, holder: Holder, sent: Sent): void {
    const world = this.#world
    const { batch, token, epoch } = holder
    const isLast = batch !== null && holder.at >= batch.events.length - 1
    const isRelease = this.#draws.once(15)
    const report = { command: 'report', token, epoch, sent, end: isLast ? batch : null, isRelease } as const
    const before = world.queue
    const isMine = this.#holder === holder
    const recorded = world.apply(report)
    if (recorded.isMine !== isMine) throw new Violation('another worker recorded an outcome, or the holder could not')
    if (!isMine && world.queue !== before) throw new Violation('a report of another worker changed the queue')
    if (isMine) this.#conclude(holder, sent)
    // A commit with unknown outcome is repeated.
    const again = this.#draws.once(10) ? world.apply(report) : recorded
    if (recorded.mayGoOn && again.mayGoOn) return this.#goOn(holder, isLast)
    if (isMine) this.#holder = null
    this.#holders[worker] = null
  }

  #goOn(holder: Holder, isLast: boolean): void {
    const world = this.#world
    if (flowOf(world.queue) !== 'open') throw new Violation('a worker goes on although the queue is not open')
    if (world.queue.epoch !== holder.epoch || isLast) holder.batch = null
    else holder.at += 1
    if (holder.leaseEndsAt < world.now + RENEW_BELOW_MS) world.leaseEndsAt = world.now + LEASE_MS
    Object.assign(holder, { epoch: world.queue.epoch, retries: world.retries, leaseEndsAt: world.leaseEndsAt })
  }

  #conclude({ retries }: Holder, sent: Sent): void {
    const { log, oracle, now, retries: current } = this.#world
    const event = sent === null ? undefined : log[sent.no - 1]
    if (sent === null || event === undefined) return
    if (sent.outcome !== 'failed') oracle.concluded(event)
    else if (retries === current) oracle.failed(event, now, PROBE_DELAY_MS)
  }
}
