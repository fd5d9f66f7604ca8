import { type Instant, instant } from '@sealpost/kernel'
import { END, includes, NONE, type Ranges, rangesOf, span, subtract, union } from '../../rules/ranges.ts'
import type { Draws } from '../../testing/draws.ts'
import { flowOf, type QueueSwitches, type WebhookQueue } from '../model.ts'
import { type Command, newQueue, type Step, type step } from '../rules/machine.ts'
import type { Moment } from '../rules/parking.ts'
import { closedAt, type SubscriptionRun, withReplay } from '../rules/subscription-runs.ts'
import { DAY_MS, isParked, isSubscribed, type LogBatch, type LoggedEvent, readLog } from './model-log.ts'
import { Oracle } from './model-oracle.ts'

export const PROBE_DELAY_MS = 600_000
const PAGE_MS = 60_000
const BATCH = 3
const KINDS = ['a', 'b', 'c'] as const

export type Machine = typeof step

interface Page {
  readonly events: readonly LoggedEvent[]
  readonly covers: Ranges
  readonly until: number
}

/** One webhook with its feed and a clock: the plainest possible environment of the machine. */
export class World {
  now: Instant = instant(1_000_000_000_000)
  readonly log: LoggedEvent[] = []
  readonly oracle: Oracle = new Oracle(this.log)
  queue: WebhookQueue
  leaseEndsAt = 0
  /** The number of requested retries. */
  retries = 0
  isHeadDue = false
  isWell = true
  pages: Page[] = []
  #runs: readonly SubscriptionRun[] = [{ from: 0, to: END, kinds: null }]
  #kinds: readonly string[] | null = null
  readonly #machine: Machine
  readonly #draws: Draws

  constructor(machine: Machine, draws: Draws) {
    this.#machine = machine
    this.#draws = draws
    this.queue = newQueue({ isEnabled: true, isPaused: false, isSuspended: false }, this.#moment())
  }

  apply(command: Command): Step {
    const next = this.#machine(this.queue, command, this.#moment())
    this.queue = next.queue
    if (next.queue.state === 'running' && flowOf(next.queue) === 'open') this.oracle.unparked()
    else this.oracle.parked()
    return next
  }

  append(): void {
    for (let count = 1 + this.#draws.below(3); count > 0; count -= 1) {
      const kind = this.#draws.pick(KINDS)
      const key = this.#draws.once(2) ? this.#draws.pick(KINDS) : null
      const event = { no: this.log.length + 1, kind, key, at: this.now, isUnresolved: this.#draws.once(20) }
      this.log.push(event)
      const isOwed = flowOf(this.queue) !== 'disabled' && (this.#kinds === null || this.#kinds.includes(kind))
      this.oracle.appended(event, isOwed)
    }
    this.isHeadDue = true
  }

  /** A manual drain leases a page. */
  drain(limit: number): void {
    const isHeld = this.queue.isLeased && this.leaseEndsAt > this.now
    const leased = union(...this.pages.map(({ covers }) => covers))
    const options = { now: this.now, limit: limit + (isHeld ? 1 : 0), excluded: leased }
    const found = readLog(this.log, this.#runs, this.queue, options).filter((event) => isParked(this.queue, event))
    const events = isHeld ? found.slice(1) : found
    const last = events.at(-1)
    if (last === undefined) return
    const from = isHeld ? (found[0]?.no ?? this.queue.cursor) : this.queue.cursor
    const covers = [this.queue.gone, leased].reduce(subtract, span(from, last.no))
    this.pages.push({ events, covers, until: this.now + PAGE_MS })
    this.apply({ command: 'lend' })
  }

  completePage(isDelivered: boolean): void {
    const page = this.pages.shift()
    if (page === undefined) return
    this.apply({ command: 'return', gone: isDelivered ? page.covers : [] })
    if (isDelivered) for (const event of page.events) this.oracle.concluded(event)
  }

  switch(to: Partial<QueueSwitches>): void {
    const [before, wasSubscribed] = [flowOf(this.queue), flowOf(this.queue) !== 'disabled']
    this.apply({ command: 'switch', to, hasBacklog: this.#hasBacklog() })
    const after = flowOf(this.queue)
    if (wasSubscribed && after === 'disabled') this.#runs = closedAt(this.#runs, this.log.length)
    if (!wasSubscribed && after !== 'disabled') this.#subscribe()
    if (after !== 'open') this.oracle.parked()
    else if (before !== 'open') this.#retry()
  }

  retarget(): void {
    this.apply({ command: 'retarget', hasBacklog: this.#hasBacklog() })
    if (flowOf(this.queue) === 'open') this.#retry()
  }

  probe(): void {
    if (this.queue.state === 'bad' && flowOf(this.queue) === 'open') this.#retry()
    this.apply({ command: 'probe' })
  }

  subscribe(kinds: readonly string[] | null): void {
    this.#kinds = kinds
    this.apply({ command: 'touch' })
    if (flowOf(this.queue) === 'disabled') return
    this.#runs = closedAt(this.#runs, this.log.length)
    this.#subscribe()
  }

  replay(after: number | null): void {
    const lastNo = this.log.length
    const isBad = this.queue.state !== 'running'
    if (after !== null) {
      this.#runs = withReplay(this.#runs, this.queue, { from: after, to: lastNo, kinds: this.#kinds })
      this.pages = this.pages.map((page) => ({ ...page, covers: rangesOf(page.events.map(({ no }) => no)) }))
    }
    const hasBacklog = this.#hasBacklog() || (after !== null && after < lastNo)
    this.apply({ command: 'replay', hasBacklog, after })
    if (after !== null)
      this.oracle.replayed(
        this.log.filter(
          ({ no, kind, at }) =>
            no > after && (this.#kinds === null || this.#kinds.includes(kind)) && this.now - at < 7 * DAY_MS,
        ),
      )
    if (isBad && flowOf(this.queue) === 'open') this.#retry()
  }

  purge(): void {
    if (this.queue.alertAt === null || this.queue.isLeased) return
    const entries = this.log.filter(({ no }) => no > this.queue.cursor && !includes(this.queue.gone, no))
    const young = entries.find((event) => this.now - event.at < 7 * DAY_MS && isSubscribed(this.#runs, event))
    const to = young === undefined ? this.log.length : young.no - 1
    const isStopped = this.queue.state !== 'running' || flowOf(this.queue) !== 'open'
    this.apply({ command: 'purge', to, alertAt: isStopped ? instant(this.now + 3_600_000) : null, purgedAt: null })
  }

  pass(ms: number): void {
    this.now = instant(this.now + ms)
    this.pages = this.pages.filter(({ until }) => until > this.now)
  }

  readBatch(): LogBatch {
    const options = { now: this.now, limit: BATCH, excluded: NONE }
    const events = readLog(this.log, this.#runs, this.queue, options)
    const lent = this.#lent()
    const blocked = events.findIndex(({ no }) => lent.has(no))
    const last = events.length === BATCH ? (events.at(-1)?.no ?? 0) : this.log.length
    if (blocked === -1) return { events, scannedTo: last, blockedForMs: null }
    const until = Math.max(...this.pages.map((page) => page.until))
    return {
      events: events.slice(0, blocked),
      scannedTo: (events[blocked]?.no ?? 0) - 1,
      blockedForMs: until - this.now,
    }
  }

  /** A manual drain has leased it. */
  isLent({ no }: LoggedEvent): boolean {
    return this.#lent().has(no)
  }

  #lent(): ReadonlySet<number> {
    return new Set(this.pages.flatMap(({ events }) => events.map(({ no }) => no)))
  }

  #hasBacklog(): boolean {
    const options = { now: this.now, limit: 1, excluded: NONE }
    return readLog(this.log, this.#runs, this.queue, options).some((event) => isParked(this.queue, event))
  }

  #subscribe(): void {
    this.#runs = [...this.#runs, { from: this.log.length, to: END, kinds: this.#kinds }]
  }

  #retry(): void {
    this.retries += 1
    this.oracle.retried()
  }

  #moment(): Moment {
    return { now: this.now, lastNo: this.log.length, probeDelayMs: PROBE_DELAY_MS }
  }
}
