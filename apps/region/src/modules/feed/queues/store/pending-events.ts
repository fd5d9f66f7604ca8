import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement } from '@sealpost/postgres'
import type { NumberSet, QueueKey, StoredEvent } from '../../model.ts'
import { parseRanges, type Ranges, union } from '../../rules/ranges.ts'
import type { PendingEvent } from '../model.ts'
import { kindsAt, type SubscriptionRun } from '../rules/subscription-runs.ts'
import { IS_LATER_SUBSCRIBED, IS_SUBSCRIBED, RUNS, runOf, type RunRow } from './subscriptions.ts'

/** [Note: scans], for queues: most have only a few pending events. */
const SCAN_SIZES = [40, 400, 4000] as const
type ScanSize = (typeof SCAN_SIZES)[number]

/** Backlog that was not replayed: only the last event of a key is sent. */
const MAY_COLLAPSE = `e.key is not null and e.no > c.replay_to and (c.parked_to is null or e.no <= c.parked_to)`

/**
 * The next range of numbers of each queue, so that the planner cannot choose to read more rows. Later events of a key
 * beyond the range cost one lookup per key.
 */
const ahead = (size: string): string => `
select search.i as search, c.parked_to as "parkedTo", page.leased, page."leasedForMs", run.to_no as "scannedTo",
  run.to_no >= head.last_no as "isWhole", ${RUNS} as runs, found.*
from unnest($1::int[], $2::uuid[], $3::int[], $4::bigint[], $5::text[]) as search (i, owner_id, no, beyond, excluded)
join feed.channel c on c.owner_id = search.owner_id and c.no = search.no and c.webhook_id is not null
join feed.head head on head.owner_id = c.owner_id
cross join lateral (select greatest(c.cursor, search.beyond) as from_no,
  greatest(c.cursor, search.beyond, least(greatest(c.cursor, search.beyond) + ${size}, head.last_no)) as to_no) as run
left join lateral (
  select range_agg(covered)::text as leased,
    round(extract(epoch from max(p.leased_until) - clock_timestamp()) * 1000)::float8 as "leasedForMs"
  from feed.page p, unnest(p.covers) as covered
  where p.owner_id = c.owner_id and p.channel = c.no and p.leased_until > clock_timestamp()) as page on true
left join lateral (
  with entry as materialized (
    select e.*, lead(e.no) over (partition by e.key order by e.no) as next_no from feed.event e
    where e.owner_id = c.owner_id and e.no > run.from_no and e.no <= run.to_no
      and e.at > to_timestamp($6 / 1000.0) and ${IS_SUBSCRIBED})
  select e.no, e.id, e.kind, e.connection_id as "connectionId", e.payload,
    round(extract(epoch from e.at) * 1000)::float8 as at
  from entry e
  where not e.no <@ c.gone and not e.no <@ search.excluded::int8multirange
    and not (${MAY_COLLAPSE} and (e.next_no is not null or (run.to_no < head.last_no and exists (
      select from feed.event later
      where later.owner_id = c.owner_id and later.key = e.key and later.no > run.to_no and ${IS_LATER_SUBSCRIBED}))))
  order by e.no limit $7) as found on true
order by search.i, found.no`

const AHEAD = { 40: ahead('40'), 400: ahead('400'), 4000: ahead('4000') } as const satisfies Record<ScanSize, string>

interface AheadFacts {
  readonly search: number
  readonly parkedTo: number | null
  readonly leased: NumberSet | null
  readonly leasedForMs: number | null
  /** The scan reached the end of the feed. */
  readonly isWhole: boolean
  readonly scannedTo: number
  /** Null without a subscription. */
  readonly runs: readonly RunRow[] | null
}

type AheadRow = AheadFacts & (StoredEvent | { readonly [member in keyof StoredEvent]: null })

export interface Search {
  readonly key: QueueKey
  /** Numbers to leave out. */
  readonly excluded: NumberSet
  /** The caller knows that no number up to here is pending. */
  readonly beyond?: number
}

export interface Ahead {
  readonly events: readonly PendingEvent[]
  /** Every number up to here is among the events or is never sent. */
  readonly scannedTo: number
  /** The limit or the end of the feed was reached. */
  readonly isEnded: boolean
  /** Numbers that are leased to manual drains. */
  readonly leased: Ranges
  /** How long at most. */
  readonly leasedForMs: number
}

export interface ScanOptions {
  readonly visibleFrom: Instant
  /** Events per queue. */
  readonly limit: number
  /** The maximum of statements, for callers that must be fast; numbers beyond the last scan stay unknown. */
  readonly maxScans?: number
}

/**
 * The next events of many queues with one statement; queues that found only events of other kinds are scanned farther. A
 * deleted queue is missing from the answer.
 */
export async function scanAhead(
  read: Read,
  searches: readonly Search[],
  { visibleFrom, limit, maxScans = Number.POSITIVE_INFINITY }: ScanOptions,
): Promise<ReadonlyMap<number, Ahead>> {
  const found = new Map<number, Ahead>()
  let open = searches.map((search, i) => ({ beyond: 0, ...search, i }))
  const first = SCAN_SIZES.findIndex((size) => size >= limit)
  for (let scan = first; open.length > 0 && scan < first + maxScans; scan += 1) {
    const size = SCAN_SIZES[Math.min(scan, SCAN_SIZES.length - 1)] ?? 4000
    const rows = await runStatement<AheadRow>(read, AHEAD[size], [
      open.map(({ i }) => i),
      open.map(({ key }) => key.serviceId),
      open.map(({ key }) => key.channel),
      open.map(({ beyond }) => beyond),
      open.map(({ excluded }) => excluded),
      visibleFrom,
      limit,
    ])
    const unended = new Map<number, number>()
    for (const [i, its] of Map.groupBy(rows, ({ search }) => search)) {
      const all = join(searches[i], found.get(i), its, limit)
      found.set(i, all)
      if (!all.isEnded) unended.set(i, all.scannedTo)
    }
    open = open.flatMap((search) => {
      const beyond = unended.get(search.i)
      return beyond === undefined ? [] : [{ ...search, beyond }]
    })
  }
  return found
}

function join(search: Search | undefined, before: Ahead | undefined, rows: readonly AheadRow[], limit: number): Ahead {
  const runs = rows[0]?.runs?.map(runOf) ?? []
  const events = [...(before?.events ?? []), ...rows.flatMap((row) => eventOf(row, runs))].slice(0, limit)
  const [facts] = rows
  if (facts === undefined)
    throw new Error(`no row for webhook queue ${search?.key.channel} of service ${search?.key.serviceId}`)
  const isFull = events.length === limit
  // With the limit reached, later numbers may be pending.
  const scannedTo = isFull ? (events.at(-1)?.no ?? facts.scannedTo) : facts.scannedTo
  const leased = facts.leased === null ? [] : parseRanges(facts.leased)
  return {
    events,
    scannedTo,
    isEnded: isFull || facts.isWhole,
    leased: union(before?.leased ?? [], leased),
    leasedForMs: Math.max(facts.leasedForMs ?? 0, before?.leasedForMs ?? 0),
  }
}

function eventOf(row: AheadRow, runs: readonly SubscriptionRun[]): readonly PendingEvent[] {
  if (row.id === null) return []
  const { id, no, kind, connectionId, payload, at, parkedTo } = row
  return [
    {
      id,
      no,
      kind,
      connectionId,
      payload,
      at,
      isParked: parkedTo === null || no <= parkedTo,
      kinds: kindsAt(runs, no),
    },
  ]
}
