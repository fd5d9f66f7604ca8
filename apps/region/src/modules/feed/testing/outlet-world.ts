import { type Instant, instant } from '@sealpost/kernel'
import {
  type Act,
  END,
  flowOf,
  freshOutlet,
  type Moment,
  type Outlet,
  type Step,
  type step,
} from '../outlets/machine.ts'
import { closedAt, type SubscribedRun, takenAgain } from '../outlets/runs.ts'
import { includes, NONE, type Ranges, rangesOf, span, subtract, union } from '../ranges.ts'
import type { Draws } from './draws.ts'
import { DAY_MS, isParked, type LogBatch, type LoggedEvent, readLog, takes } from './outlet-log.ts'
import { Oracle } from './outlet-oracle.ts'

export const GRACE_MS = 600_000
const PAGE_MS = 60_000
const BATCH = 3
const KINDS = ['a', 'b', 'c'] as const

export type Machine = typeof step

interface Page {
  readonly events: readonly LoggedEvent[]
  readonly covers: Ranges
  readonly until: number
}

/** One webhook with its feed and a clock; everything around the machine is as plain as can be. */
export class World {
  now: Instant = instant(1_000_000_000_000)
  readonly log: LoggedEvent[] = []
  readonly oracle: Oracle = new Oracle(this.log)
  outlet: Outlet
  leaseEndsAt = 0
  /** How often somebody asked for another try. */
  asks = 0
  isHeadDue = false
  isWell = true
  pages: Page[] = []
  #runs: readonly SubscribedRun[] = [{ from: 0, to: END, kinds: null }]
  #kinds: readonly string[] | null = null
  readonly #machine: Machine
  readonly #draws: Draws

  constructor(machine: Machine, draws: Draws) {
    this.#machine = machine
    this.#draws = draws
    this.outlet = freshOutlet({ isEnabled: true, isPaused: false, isSuspended: false }, this.#moment())
  }

  act(act: Act): Step {
    const next = this.#machine(this.outlet, act, this.#moment())
    this.outlet = next.outlet
    if (next.outlet.state === 'running' && flowOf(next.outlet) === 'open') this.oracle.runs()
    else this.oracle.stalled()
    return next
  }

  append(): void {
    for (let count = 1 + this.#draws.below(3); count > 0; count -= 1) {
      const kind = this.#draws.pick(KINDS)
      const key = this.#draws.once(2) ? this.#draws.pick(KINDS) : null
      const event = { no: this.log.length + 1, kind, key, at: this.now, isMute: this.#draws.once(20) }
      this.log.push(event)
      const isTaken = flowOf(this.outlet) !== 'disabled' && (this.#kinds === null || this.#kinds.includes(kind))
      this.oracle.appended(event, isTaken)
    }
    this.isHeadDue = true
  }

  /** Somebody drains by hand. */
  take(limit: number): void {
    const isHeld = this.outlet.isLeased && this.leaseEndsAt > this.now
    const leased = union(...this.pages.map(({ covers }) => covers))
    const looking = { now: this.now, limit: limit + (isHeld ? 1 : 0), taken: leased }
    const found = readLog(this.log, this.#runs, this.outlet, looking).filter((event) => isParked(this.outlet, event))
    const events = isHeld ? found.slice(1) : found
    const last = events.at(-1)
    if (last === undefined) return
    const from = isHeld ? (found[0]?.no ?? this.outlet.cursor) : this.outlet.cursor
    const covers = [this.outlet.gone, leased].reduce(subtract, span(from, last.no))
    this.pages.push({ events, covers, until: this.now + PAGE_MS })
    this.act({ act: 'lend' })
  }

  giveBack(isFlushed: boolean): void {
    const page = this.pages.shift()
    if (page === undefined) return
    this.act({ act: 'return', gone: isFlushed ? page.covers : [] })
    if (isFlushed) for (const event of page.events) this.oracle.concluded(event)
  }

  turn(to: Extract<Act, { act: 'switch' }>['to']): void {
    const [before, wasTaking] = [flowOf(this.outlet), flowOf(this.outlet) !== 'disabled']
    this.act({ act: 'switch', to, hasBacklog: this.#hasBacklog() })
    const after = flowOf(this.outlet)
    if (wasTaking && after === 'disabled') this.#runs = closedAt(this.#runs, this.log.length)
    if (!wasTaking && after !== 'disabled') this.#subscribe()
    if (after !== 'open') this.oracle.stalled()
    else if (before !== 'open') this.#ask()
  }

  retarget(): void {
    this.act({ act: 'retarget', hasBacklog: this.#hasBacklog() })
    if (flowOf(this.outlet) === 'open') this.#ask()
  }

  probe(): void {
    if (this.outlet.state === 'bad' && flowOf(this.outlet) === 'open') this.#ask()
    this.act({ act: 'probe' })
  }

  subscribe(kinds: readonly string[] | null): void {
    this.#kinds = kinds
    this.act({ act: 'touch' })
    if (flowOf(this.outlet) === 'disabled') return
    this.#runs = closedAt(this.#runs, this.log.length)
    this.#subscribe()
  }

  replay(after: number | null): void {
    const lastNo = this.log.length
    const isBad = this.outlet.state !== 'running'
    if (after !== null) {
      this.#runs = takenAgain(this.#runs, this.outlet, { from: after, to: lastNo, kinds: this.#kinds })
      this.pages = this.pages.map((page) => ({ ...page, covers: rangesOf(page.events.map(({ no }) => no)) }))
    }
    const hasBacklog = this.#hasBacklog() || (after !== null && after < lastNo)
    this.act({ act: 'replay', hasBacklog, after })
    if (after !== null)
      this.oracle.replayed(
        this.log.filter(
          ({ no, kind, at }) =>
            no > after && (this.#kinds === null || this.#kinds.includes(kind)) && this.now - at < 7 * DAY_MS,
        ),
      )
    if (isBad && flowOf(this.outlet) === 'open') this.#ask()
  }

  purge(): void {
    if (this.outlet.alertAt === null || this.outlet.isLeased) return
    const entries = this.log.filter(({ no }) => no > this.outlet.cursor && !includes(this.outlet.gone, no))
    const young = entries.find((event) => this.now - event.at < 7 * DAY_MS && takes(this.#runs, event))
    const to = young === undefined ? this.log.length : young.no - 1
    const isStanding = this.outlet.state !== 'running' || flowOf(this.outlet) !== 'open'
    this.act({ act: 'purge', to, alertAt: isStanding ? instant(this.now + 3_600_000) : null, purgedAt: null })
  }

  pass(ms: number): void {
    this.now = instant(this.now + ms)
    this.pages = this.pages.filter(({ until }) => until > this.now)
  }

  readBatch(): LogBatch {
    const looking = { now: this.now, limit: BATCH, taken: NONE }
    const events = readLog(this.log, this.#runs, this.outlet, looking)
    const lent = this.#lent()
    const blocked = events.findIndex(({ no }) => lent.has(no))
    const last = events.length === BATCH ? (events.at(-1)?.no ?? 0) : this.log.length
    if (blocked === -1) return { events, lookedTo: last, blockedForMs: null }
    const until = Math.max(...this.pages.map((page) => page.until))
    return {
      events: events.slice(0, blocked),
      lookedTo: (events[blocked]?.no ?? 0) - 1,
      blockedForMs: until - this.now,
    }
  }

  /** Somebody who drains by hand has it. */
  isLent({ no }: LoggedEvent): boolean {
    return this.#lent().has(no)
  }

  #lent(): ReadonlySet<number> {
    return new Set(this.pages.flatMap(({ events }) => events.map(({ no }) => no)))
  }

  #hasBacklog(): boolean {
    const looking = { now: this.now, limit: 1, taken: NONE }
    return readLog(this.log, this.#runs, this.outlet, looking).some((event) => isParked(this.outlet, event))
  }

  #subscribe(): void {
    this.#runs = [...this.#runs, { from: this.log.length, to: END, kinds: this.#kinds }]
  }

  #ask(): void {
    this.asks += 1
    this.oracle.asked()
  }

  #moment(): Moment {
    return { now: this.now, lastNo: this.log.length, graceMs: GRACE_MS }
  }
}
