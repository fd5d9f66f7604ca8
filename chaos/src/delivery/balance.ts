/** A committed event, as the publisher reports it. */
export interface PublishedEvent {
  readonly id: string
  readonly kind: string
  /** A waiting event is collapsed into a later one with the same key. */
  readonly key: string | null
}

/** One delivery of an event to its reader. */
export interface Arrival {
  readonly id: string
  readonly atMs: number
  /**
   * `taken`: the reader answered 200, completely and in time. `unsure`: the reader has the event, but its answer may be
   * lost. `refused`: any other answer, or none.
   */
  readonly outcome: 'taken' | 'unsure' | 'refused'
  /** The number of the page, for events that arrived in one answer. */
  readonly page?: number
}

/** One webhook or one pull consumer: the events it must get, the ones that arrived and the ones that still wait. */
export interface ChannelRecord {
  readonly name: string
  /** In the order of their commits. */
  readonly entries: readonly PublishedEvent[]
  readonly arrivals: readonly Arrival[]
  readonly queued: ReadonlySet<string>
}

/** A kill, after which one acknowledgement per channel may be lost. */
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
  /** Arrived or queued, though it was not published to the channel. */
  readonly unexpected: number
  /** Arrived after a later event of the channel; in pages only first arrivals count. */
  readonly outOfOrder: number
  /** Arrived again because it was not taken, or the reader's answer may have been lost. */
  readonly repeated: number
  /** Taken, and delivered again after a kill: at most one per channel and kill. */
  readonly duplicatedByKills: number
  readonly unexplainedDuplicates: number
}

/**
 * [Note: channel balance] Counts entries of channels from the committed and the delivered events; the database is read only
 * for the events that wait. An entry is exactly one of: queued, delivered, collapsed, lost. An event that waits counts as
 * queued even if its reader has it, because it will be delivered again.
 */
export function balance(channel: ChannelRecord, faults: readonly Fault[]): Balance {
  const { entries, arrivals, queued } = channel
  const indexOf = new Map(entries.map(({ id }, index) => [id, index]))
  const received = new Set(arrivals.filter(({ outcome }) => outcome !== 'refused').map(({ id }) => id))
  const counts = { delivered: 0, queued: 0, collapsed: 0, lost: 0 }
  const laterKeys = new Set<string>()
  for (const { id, key } of entries.toReversed()) {
    if (queued.has(id)) counts.queued += 1
    else if (received.has(id)) counts.delivered += 1
    else if (key !== null && laterKeys.has(key)) counts.collapsed += 1
    else counts.lost += 1
    if (key !== null) laterKeys.add(key)
  }
  const unknown = new Set([...queued, ...arrivals.map(({ id }) => id)].filter((id) => !indexOf.has(id)))
  return {
    published: entries.length,
    ...counts,
    unexpected: unknown.size,
    outOfOrder: countOutOfOrder(arrivals, indexOf),
    ...classifyRepeats(arrivals, faults),
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
    unexpected: sum('unexpected'),
    outOfOrder: sum('outOfOrder'),
    repeated: sum('repeated'),
    duplicatedByKills: sum('duplicatedByKills'),
    unexplainedDuplicates: sum('unexplainedDuplicates'),
  }
}

/** A page whose process died after the answer is delivered again after later pages, so repeated pages do not count. */
function countOutOfOrder(arrivals: readonly Arrival[], indexOf: ReadonlyMap<string, number>): number {
  let highest = -1
  let count = 0
  const seen = new Set<string>()
  for (const { id, page } of arrivals) {
    const entry = indexOf.get(id)
    const isRepeated = seen.has(id)
    seen.add(id)
    if (entry === undefined || (isRepeated && page !== undefined)) continue
    if (entry < highest) count += 1
    else highest = entry
  }
  return count
}

/** A busy reader records an arrival late: the event may have arrived before the kill. */
const READER_LAG_MS = 2000

type Repeats = Pick<Balance, 'repeated' | 'duplicatedByKills' | 'unexplainedDuplicates'>

/** A kill explains one repetition: of an arrival, or of a page as a whole. */
function classifyRepeats(arrivals: readonly Arrival[], faults: readonly Fault[]): Repeats {
  const counts = { repeated: 0, duplicatedByKills: 0, unexplainedDuplicates: 0 }
  const unused = new Set(faults.toSorted((one, other) => one.toMs - other.toMs))
  const explained = new Set<string>()
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
    if (pages !== null && explained.has(pages)) {
      counts.duplicatedByKills += 1
      continue
    }
    const fault = [...unused].find(({ fromMs, toMs }) => toMs >= before.atMs - READER_LAG_MS && fromMs <= arrival.atMs)
    if (fault === undefined) {
      counts.unexplainedDuplicates += 1
      continue
    }
    unused.delete(fault)
    if (pages !== null) explained.add(pages)
    counts.duplicatedByKills += 1
  }
  return counts
}
