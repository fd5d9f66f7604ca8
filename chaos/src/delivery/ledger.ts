/** An event as the publisher knows that it was committed. */
export interface PublishedEvent {
  readonly id: string
  readonly kind: string
  /** Of equal keys the later one may stand for the earlier one while both wait. */
  readonly key: string | null
}

/** One event as it reached its reader. */
export interface Arrival {
  readonly id: string
  readonly atMs: number
  /**
   * What the reader made of it. `taken`: it said so, in time and to the end. `unsure`: it has the event, and its word may
   * not have got back. `refused`: it said anything else, or nothing.
   */
  readonly outcome: 'taken' | 'unsure' | 'refused'
  /** Several that came in one answer; each on its own unless told. */
  readonly page?: number
}

/** One webhook or one pull consumer: what it had to get, what it saw and what the database still holds for it. */
export interface ChannelBook {
  readonly name: string
  /** In the order of their commits. */
  readonly entries: readonly PublishedEvent[]
  readonly arrivals: readonly Arrival[]
  readonly queued: ReadonlySet<string>
}

/** A kill that may cost one acknowledgement per channel. */
export interface Fault {
  readonly fromMs: number
  readonly toMs: number
}

export interface Balance {
  readonly published: number
  readonly delivered: number
  readonly queued: number
  readonly collapsed: number
  readonly lost: number
  /** Seen or queued, though nobody has published it here. */
  readonly invented: number
  /** Came after a later one of its channel; of pages only what came for the first time. */
  readonly disordered: number
  /** Came again because it was not taken, or its reader's word may have been lost. */
  readonly repeated: number
  /** Taken, and again after a kill: at most one per channel and kill. */
  readonly doubledByKills: number
  readonly doubledForNoReason: number
}

/**
 * [Note: the ledger] Counted in channel entries, from what was committed and what readers saw; the database is asked only for
 * what still waits. An entry is in exactly one of: queued, delivered, collapsed, lost. What waits counts as queued even if
 * its reader has it, because it will come again.
 */
export function balance(book: ChannelBook, faults: readonly Fault[]): Balance {
  const { entries, arrivals, queued } = book
  const placeOf = new Map(entries.map(({ id }, place) => [id, place]))
  const heldBy = new Set(arrivals.filter(({ outcome }) => outcome !== 'refused').map(({ id }) => id))
  const counts = { delivered: 0, queued: 0, collapsed: 0, lost: 0 }
  const laterKeys = new Set<string>()
  for (const { id, key } of entries.toReversed()) {
    if (queued.has(id)) counts.queued += 1
    else if (heldBy.has(id)) counts.delivered += 1
    else if (key !== null && laterKeys.has(key)) counts.collapsed += 1
    else counts.lost += 1
    if (key !== null) laterKeys.add(key)
  }
  const strangers = new Set([...queued, ...arrivals.map(({ id }) => id)].filter((id) => !placeOf.has(id)))
  return {
    published: entries.length,
    ...counts,
    invented: strangers.size,
    disordered: countDisordered(arrivals, placeOf),
    ...judgeRepeats(arrivals, faults),
  }
}

export function addUp(balances: readonly Balance[]): Balance {
  const sum = (figure: keyof Balance): number => balances.reduce((all, one) => all + one[figure], 0)
  return {
    published: sum('published'),
    delivered: sum('delivered'),
    queued: sum('queued'),
    collapsed: sum('collapsed'),
    lost: sum('lost'),
    invented: sum('invented'),
    disordered: sum('disordered'),
    repeated: sum('repeated'),
    doubledByKills: sum('doubledByKills'),
    doubledForNoReason: sum('doubledForNoReason'),
  }
}

/** A page whose answer was out and whose process then died comes again when its lease is over, after later ones. */
function countDisordered(arrivals: readonly Arrival[], placeOf: ReadonlyMap<string, number>): number {
  return listDisordered(arrivals, placeOf).length
}

/** Places of arrivals. */
export function listDisordered(arrivals: readonly Arrival[], placeOf: ReadonlyMap<string, number>): readonly number[] {
  let farthest = -1
  const seen = new Set<string>()
  const found: number[] = []
  for (const [place, { id, page }] of arrivals.entries()) {
    const entry = placeOf.get(id)
    const isAgain = seen.has(id)
    seen.add(id)
    if (entry === undefined || (isAgain && page !== undefined)) continue
    if (entry < farthest) found.push(place)
    else farthest = entry
  }
  return found
}

/** A busy reader notices a little later what had reached its machine before the kill. */
const READER_LAG_MS = 2000

type Repeats = Pick<Balance, 'repeated' | 'doubledByKills' | 'doubledForNoReason'>

/** A kill explains one repetition of what was taken: an arrival, or a page as a whole. */
function judgeRepeats(arrivals: readonly Arrival[], faults: readonly Fault[]): Repeats {
  const counts = { repeated: 0, doubledByKills: 0, doubledForNoReason: 0 }
  const unused = new Set(faults.toSorted((one, other) => one.toMs - other.toMs))
  const excused = new Set<string>()
  const lastOf = new Map<string, Arrival>()
  for (const arrival of arrivals) {
    const before = lastOf.get(arrival.id)
    lastOf.set(arrival.id, arrival)
    if (before === undefined) continue
    if (before.outcome !== 'taken') {
      counts.repeated += 1
      continue
    }
    const pages = arrival.page === undefined ? null : `${before.page} ${arrival.page}`
    if (pages !== null && excused.has(pages)) {
      counts.doubledByKills += 1
      continue
    }
    const fault = [...unused].find(({ fromMs, toMs }) => toMs >= before.atMs - READER_LAG_MS && fromMs <= arrival.atMs)
    if (fault === undefined) {
      counts.doubledForNoReason += 1
      continue
    }
    unused.delete(fault)
    if (pages !== null) excused.add(pages)
    counts.doubledByKills += 1
  }
  return counts
}
