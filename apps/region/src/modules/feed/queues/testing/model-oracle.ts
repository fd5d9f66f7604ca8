import { DAY_MS, type LoggedEvent } from './model-log.ts'

interface Pending {
  readonly event: LoggedEvent
  /** It was replayed: a later event of its key does not replace it. */
  readonly isReplayed: boolean
  /** The queue was parked while it was pending. */
  readonly mayCollapse: boolean
}

interface Start {
  readonly isParked: boolean
  /** A manual drain has leased it. */
  readonly isLent: boolean
  /** The worker knows the current epoch; if not, its POST counts as started before the change. */
  readonly isCurrent: boolean
  readonly now: number
}

export class Violation extends Error {}

/**
 * The events that a webhook owes to its endpoint, as a plain list without cursors, ranges, epochs or tokens. It is notified
 * of every happening and throws a `Violation` for one that must not happen.
 */
export class Oracle {
  readonly #log: readonly LoggedEvent[]
  readonly #entries = new Set<number>()
  readonly #pending = new Map<number, Pending>()
  readonly #copies = new Map<number, number>()
  readonly #failed = new Set<number>()
  #isParked = false
  #flights = 0
  #excuses = 0
  #notBefore = 0

  constructor(log: readonly LoggedEvent[]) {
    this.#log = log
  }

  appended(event: LoggedEvent, isSubscribed: boolean): void {
    if (!isSubscribed) return
    this.#entries.add(event.no)
    this.#pending.set(event.no, { event, isReplayed: false, mayCollapse: this.#isParked })
  }

  /** A replay requested these events again. */
  replayed(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      this.#entries.add(event.no)
      this.#pending.set(event.no, { event, isReplayed: true, mayCollapse: true })
      this.#copies.delete(event.no)
    }
  }

  /** Parked: pending and later events may be collapsed. */
  parked(): void {
    this.#isParked = true
    for (const [no, entry] of this.#pending) this.#pending.set(no, { ...entry, mayCollapse: true })
  }

  unparked(): void {
    this.#isParked = false
  }

  /** A retry was requested, so the probe delay does not apply. */
  retried(): void {
    this.#notBefore = 0
  }

  started(event: LoggedEvent, { isParked, isLent, isCurrent, now }: Start): void {
    const { no } = event
    if (this.#flights > 0) complain(`${no} was sent while another POST was in flight`)
    this.#flights += 1
    if (now < this.#notBefore) complain(`${no} was sent before the probe delay was over`)
    if (isExpired(event, now)) complain(`${no} was sent after seven days`)
    if (!this.#pending.has(no)) complain(`${no} was sent and is not owed`)
    if (isLent && isCurrent) complain(`${no} was sent while a manual drain had it`)
    if (this.#failed.has(no) && !isParked) complain(`${no} had failed and was sent as live`)
    for (const [earlier, entry] of this.#pending)
      if (earlier < no && this.#isOwed(entry, now) && (isCurrent || !entry.isReplayed))
        complain(`${no} was sent before ${earlier}`)
  }

  /** The POST ended, or its process did. */
  ended(): void {
    this.#flights = 0
  }

  received({ no }: LoggedEvent): void {
    const count = (this.#copies.get(no) ?? 0) + 1
    this.#copies.set(no, count)
    if (count === 1) return
    this.#excuses -= 1
    if (this.#excuses < 0) complain(`${no} came ${count} times without a reason`)
  }

  /** Allows one more copy: after a kill, a lost answer or a lapsed lease. */
  excused(): void {
    this.#excuses += 1
  }

  concluded({ no }: LoggedEvent): void {
    this.#pending.delete(no)
  }

  failed({ no }: LoggedEvent, now: number, probeDelayMs: number): void {
    this.#failed.add(no)
    this.#notBefore = now + probeDelayMs
    this.parked()
  }

  /** The events that are still owed. */
  left(now: number): readonly LoggedEvent[] {
    return [...this.#pending.values()].filter((entry) => this.#isOwed(entry, now)).map(({ event }) => event)
  }

  #isOwed(entry: Pending, now: number): boolean {
    return !isExpired(entry.event, now) && !this.#isHidden(entry)
  }

  #isHidden({ event: { no, key }, isReplayed, mayCollapse }: Pending): boolean {
    if (isReplayed || !mayCollapse || key === null) return false
    return this.#log.some((later) => later.no > no && later.key === key && this.#entries.has(later.no))
  }
}

function isExpired({ at }: LoggedEvent, now: number): boolean {
  return now - at >= 7 * DAY_MS
}

function complain(what: string): never {
  throw new Violation(what)
}
