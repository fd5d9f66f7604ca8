import { DAY_MS, type LoggedEvent } from './outlet-log.ts'

interface Pending {
  readonly event: LoggedEvent
  /** It was asked for whole: a later event of its key is no excuse. */
  readonly isWhole: boolean
  /** The webhook stood still while it waited. */
  readonly mayCollapse: boolean
}

interface Start {
  readonly isParked: boolean
  /** Somebody who drains by hand has it at the moment. */
  readonly isLent: boolean
  /** The worker knows of everything that was asked for; if not, it is as if its POST had begun before. */
  readonly hasHeard: boolean
  readonly now: number
}

export class Violation extends Error {}

/**
 * What a webhook owes to its endpoint, as a plain list that knows nothing of cursors, ranges, epochs or tokens. It is told
 * what happens and complains as soon as something happens that must not.
 */
export class Oracle {
  readonly #log: readonly LoggedEvent[]
  readonly #entries = new Set<number>()
  readonly #pending = new Map<number, Pending>()
  readonly #copies = new Map<number, number>()
  readonly #failed = new Set<number>()
  #isStalled = false
  #flights = 0
  #excuses = 0
  #notBefore = 0

  constructor(log: readonly LoggedEvent[]) {
    this.#log = log
  }

  appended(event: LoggedEvent, isTaken: boolean): void {
    if (!isTaken) return
    this.#entries.add(event.no)
    this.#pending.set(event.no, { event, isWhole: false, mayCollapse: this.#isStalled })
  }

  /** Somebody asked for everything from there on, again. */
  replayed(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      this.#entries.add(event.no)
      this.#pending.set(event.no, { event, isWhole: true, mayCollapse: true })
      this.#copies.delete(event.no)
    }
  }

  /** Nothing is sent for now: what waits and what comes may be collapsed. */
  stalled(): void {
    this.#isStalled = true
    for (const [no, entry] of this.#pending) this.#pending.set(no, { ...entry, mayCollapse: true })
  }

  runs(): void {
    this.#isStalled = false
  }

  /** A try was asked for, so that the grace does not count. */
  asked(): void {
    this.#notBefore = 0
  }

  started(event: LoggedEvent, { isParked, isLent, hasHeard, now }: Start): void {
    const { no } = event
    if (this.#flights > 0) complain(`${no} was sent while another was on its way`)
    this.#flights += 1
    if (now < this.#notBefore) complain(`${no} was sent before the grace was over`)
    if (isExpired(event, now)) complain(`${no} was sent after seven days`)
    if (!this.#pending.has(no)) complain(`${no} was sent and is not owed`)
    if (isLent && hasHeard) complain(`${no} was sent while somebody drained it by hand`)
    if (this.#failed.has(no) && !isParked) complain(`${no} had failed and was sent as live`)
    for (const [earlier, entry] of this.#pending)
      if (earlier < no && this.#isOwed(entry, now) && (hasHeard || !entry.isWhole))
        complain(`${no} was sent before ${earlier}`)
  }

  /** The POST is over, or its process is. */
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

  /** Something that excuses one more copy: a kill, a lost answer, a lease that ran out. */
  excused(): void {
    this.#excuses += 1
  }

  concluded({ no }: LoggedEvent): void {
    this.#pending.delete(no)
  }

  failed({ no }: LoggedEvent, now: number, graceMs: number): void {
    this.#failed.add(no)
    this.#notBefore = now + graceMs
    this.stalled()
  }

  /** What must not wait any more when everything that can be sent has been. */
  left(now: number): readonly LoggedEvent[] {
    return [...this.#pending.values()].filter((entry) => this.#isOwed(entry, now)).map(({ event }) => event)
  }

  #isOwed(entry: Pending, now: number): boolean {
    return !isExpired(entry.event, now) && !this.#isHidden(entry)
  }

  #isHidden({ event: { no, key }, isWhole, mayCollapse }: Pending): boolean {
    if (isWhole || !mayCollapse || key === null) return false
    return this.#log.some((later) => later.no > no && later.key === key && this.#entries.has(later.no))
  }
}

function isExpired({ at }: LoggedEvent, now: number): boolean {
  return now - at >= 7 * DAY_MS
}

function complain(what: string): never {
  throw new Violation(what)
}
