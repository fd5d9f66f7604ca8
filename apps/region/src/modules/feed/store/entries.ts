import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement } from '@sealpost/postgres'
import type { StoredEvent } from '../event.ts'
import type { OutletEvent } from '../outlets/contract.ts'
import { parseRanges, type Ranges, union } from '../ranges.ts'
import type { NumberSet } from './log.ts'
import type { OutletPlace } from './outlets.ts'
import { IS_LATER_TAKEN, IS_TAKEN } from './subscriptions.ts'

/** [Note: looks], for outlets: most have a few events ahead of them and nothing else. */
const LOOKS = [40, 400, 4000] as const
type Look = (typeof LOOKS)[number]

/** Backlog that nobody asked to have whole: only the last event of a key is told. */
const MAY_COLLAPSE = `e.key is not null and e.no > c.replay_to and (c.parked_to is null or e.no <= c.parked_to)`

/**
 * What lies ahead of each outlet: a run of numbers, so that no more rows than that are read, whatever the planner thinks.
 * Whether there is a later event of a key behind the run is asked once per key.
 */
const ahead = (look: string): string => `
select place.i as place, c.parked_to as "parkedTo", page.open, page."openForMs", run.to_no as "lookedTo",
  run.to_no >= head.last_no as "isWhole", found.*
from unnest($1::int[], $2::uuid[], $3::int[], $4::bigint[], $5::text[]) as place (i, owner_id, no, beyond, taken)
join feed.channel c on c.owner_id = place.owner_id and c.no = place.no and c.webhook_id is not null
join feed.head head on head.owner_id = c.owner_id
cross join lateral (select greatest(c.cursor, place.beyond) as from_no,
  greatest(c.cursor, place.beyond, least(greatest(c.cursor, place.beyond) + ${look}, head.last_no)) as to_no) as run
left join lateral (
  select range_agg(covered)::text as open,
    round(extract(epoch from max(p.leased_until) - clock_timestamp()) * 1000)::float8 as "openForMs"
  from feed.page p, unnest(p.covers) as covered
  where p.owner_id = c.owner_id and p.channel = c.no and p.leased_until > clock_timestamp()) as page on true
left join lateral (
  with entry as materialized (
    select e.*, lead(e.no) over (partition by e.key order by e.no) as next_no from feed.event e
    where e.owner_id = c.owner_id and e.no > run.from_no and e.no <= run.to_no
      and e.at > to_timestamp($6 / 1000.0) and ${IS_TAKEN})
  select e.no, e.id, e.kind, e.connection_id as "connectionId", e.payload,
    round(extract(epoch from e.at) * 1000)::float8 as at
  from entry e
  where not e.no <@ c.gone and not e.no <@ place.taken::int8multirange
    and not (${MAY_COLLAPSE} and (e.next_no is not null or (run.to_no < head.last_no and exists (
      select from feed.event later
      where later.owner_id = c.owner_id and later.key = e.key and later.no > run.to_no and ${IS_LATER_TAKEN}))))
  order by e.no limit $7) as found on true
order by place.i, found.no`

const AHEAD = { 40: ahead('40'), 400: ahead('400'), 4000: ahead('4000') } as const satisfies Record<Look, string>

interface AheadFacts {
  readonly place: number
  readonly parkedTo: number | null
  readonly open: NumberSet | null
  readonly openForMs: number | null
  /** Nothing lies behind what was looked at. */
  readonly isWhole: boolean
  readonly lookedTo: number
}

type AheadRow = AheadFacts & (StoredEvent | { readonly [member in keyof StoredEvent]: null })

export interface Search {
  readonly place: OutletPlace
  /** Numbers that are out of the question. */
  readonly taken: NumberSet
  /** Nothing up to here is to be sent, as far as the caller knows. */
  readonly beyond?: number
}

export interface Found {
  readonly events: readonly OutletEvent[]
  /** Every number up to here is among the events, or is not to be sent. */
  readonly lookedTo: number
  /** As many as were wanted, or all. */
  readonly isEnded: boolean
  /** In pages that are being answered, for at most so long. */
  readonly open: Ranges
  readonly openForMs: number
}

export interface Looking {
  readonly visibleFrom: Instant
  /** As many events of each at most. */
  readonly limit: number
  /** Statements at most, where it matters how long it takes; what was not looked at by then stays unknown. */
  readonly looks?: number
}

/**
 * The next events of many outlets, by one statement for all of them; those that see nothing but what they do not take
 * look farther. Missing from the answer: outlets that are gone.
 */
export async function readAhead(
  read: Read,
  searches: readonly Search[],
  { visibleFrom, limit, looks = Number.POSITIVE_INFINITY }: Looking,
): Promise<ReadonlyMap<number, Found>> {
  const found = new Map<number, Found>()
  let open = searches.map((search, i) => ({ beyond: 0, ...search, i }))
  const first = LOOKS.findIndex((look) => look >= limit)
  for (let size = first; open.length > 0 && size < first + looks; size += 1) {
    const look = LOOKS[Math.min(size, LOOKS.length - 1)] ?? 4000
    const rows = await runStatement<AheadRow>(read, AHEAD[look], [
      open.map(({ i }) => i),
      open.map(({ place }) => place.serviceId),
      open.map(({ place }) => place.channel),
      open.map(({ beyond }) => beyond),
      open.map(({ taken }) => taken),
      visibleFrom,
      limit,
    ])
    const unended = new Map<number, number>()
    for (const [i, its] of Map.groupBy(rows, ({ place }) => place)) {
      const all = gather(found.get(i), its, limit)
      found.set(i, all)
      if (!all.isEnded) unended.set(i, all.lookedTo)
    }
    open = open.flatMap((search) => {
      const beyond = unended.get(search.i)
      return beyond === undefined ? [] : [{ ...search, beyond }]
    })
  }
  return found
}

function gather(before: Found | undefined, rows: readonly AheadRow[], limit: number): Found {
  const events = [...(before?.events ?? []), ...rows.flatMap(eventOf)].slice(0, limit)
  const [facts] = rows
  if (facts === undefined) throw new Error('an outlet was looked at and nothing is known of it')
  const isFull = events.length === limit
  // Behind the last of as many as were wanted there may be more.
  const lookedTo = isFull ? (events.at(-1)?.no ?? facts.lookedTo) : facts.lookedTo
  const open = facts.open === null ? [] : parseRanges(facts.open)
  return {
    events,
    lookedTo,
    isEnded: isFull || facts.isWhole,
    open: union(before?.open ?? [], open),
    openForMs: Math.max(facts.openForMs ?? 0, before?.openForMs ?? 0),
  }
}

function eventOf(row: AheadRow): readonly OutletEvent[] {
  if (row.id === null) return []
  const { id, no, kind, connectionId, payload, at, parkedTo } = row
  return [{ id, no, kind, connectionId, payload, at, isParked: parkedTo === null || no <= parkedTo }]
}
