import { flowOf } from '../outlets/machine.ts'
import type { Draws } from './draws.ts'
import { isParked, type LogBatch, type LoggedEvent } from './outlet-log.ts'
import { Violation } from './outlet-oracle.ts'
import { GRACE_MS, type World } from './outlet-world.ts'

const LEASE_MS = 30_000
const RENEW_BELOW_MS = 20_000
const POST_MS = 10_000

interface Flight {
  readonly event: LoggedEvent
  readonly endsAt: number
  /** What the endpoint does, and what the worker hears of it. */
  readonly isReceived: boolean
  readonly outcome: 'delivered' | 'failed'
}

type Sent = { readonly no: number; readonly outcome: 'delivered' | 'failed' | 'skipped' } | null

interface Holder {
  readonly token: number
  epoch: number
  leaseEndsAt: number
  /** What had been asked for when the worker last heard of it. */
  asks: number
  batch: LogBatch | null
  readAt: number
  at: number
  flight: Flight | null
  /** The POST is over and nobody has written it down. */
  result: Flight | null
}

/** Two workers that do one thing after the other, in any order, and may be killed between any two. */
export class Workers {
  readonly #world: World
  readonly #draws: Draws
  readonly #holders: (Holder | null)[] = [null, null]
  /** Who holds the outlet, whatever the machine thinks. */
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
      world.act({ act: 'wake' })
    }
    const isLapsed = world.outlet.isLeased && world.leaseEndsAt <= world.now
    const { isMine } = world.act({ act: 'claim', isLapsed })
    if (isLapsed) {
      world.oracle.excused()
      this.#holder = null
    }
    if (!isMine) return false
    if (flowOf(world.outlet) !== 'open') throw new Violation('claimed while it is not open')
    world.leaseEndsAt = world.now + LEASE_MS
    const { token, epoch } = world.outlet
    const { asks, leaseEndsAt } = world
    this.#holder = { token, epoch, leaseEndsAt, asks, at: 0, readAt: 0, batch: null, flight: null, result: null }
    this.#holders[worker] = this.#holder
    return true
  }

  /** The next thing that a worker does of its own accord. */
  work(worker: number): boolean {
    const holder = this.#holders[worker] ?? null
    const { now } = this.#world
    if (holder === null || holder.flight !== null) return false
    const { result, batch } = holder
    if (result !== null) {
      holder.result = null
      this.#settle(worker, holder, { no: result.event.no, outcome: result.outcome })
      return true
    }
    if (batch === null || holder.readAt < now - POST_MS) {
      Object.assign(holder, { batch: this.#world.readBatch(), readAt: now, at: 0 })
      return true
    }
    const event = batch.events[holder.at]
    if (event === undefined) this.#settle(worker, holder, null)
    else if (event.isMute) this.#settle(worker, holder, { no: event.no, outcome: 'skipped' })
    // Whoever cannot be sure to be the only one lets the lease run out.
    else if (holder.leaseEndsAt < now + POST_MS) this.#holders[worker] = null
    else this.#post(holder, event)
    return true
  }

  /** A POST ends; all of them do when their time is over. */
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
    const { oracle, outlet, now, isWell } = this.#world
    const hasHeard = holder.epoch === outlet.epoch
    oracle.started(event, { isParked: isParked(outlet, event), isLent: this.#world.isLent(event), hasHeard, now })
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
      // The endpoint has it and its 200 was lost.
      if (flight.outcome === 'failed') oracle.excused()
    }
    holder.flight = null
    holder.result = flight
  }

  #settle(worker: number, holder: Holder, sent: Sent): void {
    const world = this.#world
    const { batch, token, epoch } = holder
    const isLast = batch !== null && holder.at >= batch.events.length - 1
    const isRelease = this.#draws.once(15)
    const report = { act: 'settle', token, epoch, sent, end: isLast ? batch : null, isRelease } as const
    const before = world.outlet
    const isMine = this.#holder === holder
    const settled = world.act(report)
    if (settled.isMine !== isMine) throw new Violation('somebody else settled, or the holder could not')
    if (!isMine && world.outlet !== before) throw new Violation('a report of somebody else changed something')
    if (isMine) this.#conclude(holder, sent)
    // A commit whose outcome is not known is done again.
    const again = this.#draws.once(10) ? world.act(report) : settled
    if (settled.mayGoOn && again.mayGoOn) return this.#goOn(holder, isLast)
    if (isMine) this.#holder = null
    this.#holders[worker] = null
  }

  #goOn(holder: Holder, isLast: boolean): void {
    const world = this.#world
    if (flowOf(world.outlet) !== 'open') throw new Violation('a worker goes on although it is not open')
    if (world.outlet.epoch !== holder.epoch || isLast) holder.batch = null
    else holder.at += 1
    if (holder.leaseEndsAt < world.now + RENEW_BELOW_MS) world.leaseEndsAt = world.now + LEASE_MS
    Object.assign(holder, { epoch: world.outlet.epoch, asks: world.asks, leaseEndsAt: world.leaseEndsAt })
  }

  #conclude({ asks }: Holder, sent: Sent): void {
    const { log, oracle, now, asks: asked } = this.#world
    const event = sent === null ? undefined : log[sent.no - 1]
    if (sent === null || event === undefined) return
    if (sent.outcome !== 'failed') oracle.concluded(event)
    else if (asks === asked) oracle.failed(event, now, GRACE_MS)
  }
}
