import { type ConnectionId, type EventId, type Instant, instant } from '@sealpost/kernel'
import { type Read, runStatement, type Shelf, sweepShelf, type Tx } from '@sealpost/postgres'
import type { EventKind, JsonObject, StoredEvent } from '../event.ts'
import type { OwnerId } from '../owner.ts'

export interface EventRow {
  readonly ownerId: OwnerId
  readonly no: number
  readonly id: EventId
  readonly kind: EventKind
  readonly connectionId: ConnectionId | null
  readonly payload: JsonObject
  readonly key: string | null
}

const INSERT = `
insert into feed.event (owner_id, no, shelf, id, kind, key, connection_id, payload, at)
select e."ownerId", e.no, $2, e.id, e.kind, e.key, e."connectionId", e.payload, to_timestamp($3 / 1000.0)
from jsonb_to_recordset($1::jsonb)
  as e ("ownerId" uuid, no bigint, id uuid, kind text, key uuid, "connectionId" uuid, payload jsonb)`

export async function insertEvents(
  tx: Tx,
  { at, shelf }: { readonly at: Instant; readonly shelf: Shelf },
  rows: readonly EventRow[],
): Promise<void> {
  if (rows.length > 0) await runStatement(tx, INSERT, [JSON.stringify(rows), shelf, at])
}

/** A day of everybody, as a whole: [Note: shelves]. */
export function sweepEvents(tx: Tx, shelf: Shelf, oldestKept: Instant): Promise<void> {
  return sweepShelf(tx, 'feed.event', shelf, oldestKept)
}

/** A set of numbers as PostgreSQL writes it: `{[1,5),[7,9)}`. */
export type NumberSet = string

// [Note: packed events] Events come many to a row, because a driver's work grows with rows and columns; not all in one,
// because the text of a whole page is a large object, which the engine only collects together with everything else that
// lives. Members end at the unit separator, events at the record separator; JSON escapes both, and the rest are ids, digits
// and words.
const UNIT = '\u001f'
const RECORD = '\u001e'
const MEMBERS = `e.no, e.id, e.kind, coalesce(e.connection_id::text, ''), round(date_part('epoch', e.at) * 1000)::int8`

export interface Wish {
  readonly ownerId: OwnerId
  /** Everything up to here is gone. */
  readonly cursor: number
  readonly gone: NumberSet
  readonly leased: NumberSet
  readonly visibleFrom: Instant
  readonly limit: number
}

/** A look behind one that found too little goes farther, up to so many events. */
const SHORTEST_LOOK = 100
const LONGEST_LOOK = 10_000
const LOOK_GROWTH = 4

const LOOK = `
select pack.packed, head.last_no as "lastNo" from feed.head head left join (
  select string_agg(concat_ws(e'\\x1f', ${MEMBERS}, coalesce(e.key::text, ''),
    case when taken.numbers @> e.no then '' else e.payload::text end), e'\\x1e') as packed
  from feed.event e, (select $4::int8multirange + $5::int8multirange as numbers offset 0) as taken
  where e.owner_id = $1 and e.no > $2 and e.no <= $3 group by e.no / 32) as pack on true
where head.owner_id = $1`

interface Pack {
  readonly packed: string | null
}

interface Look extends Pack {
  readonly lastNo: number
}

/**
 * [Note: looks] The oldest events that nobody has taken. An owner's numbers have no gaps, so a look takes a run of numbers:
 * whatever the planner thinks, it reads no more rows than that. An event that a later one of its key hides stays hidden,
 * whatever becomes of that; behind the run this is asked once per key, and not at all when nothing lies behind it. A
 * person who changes one field over and over must not make the feed of a service unreadable.
 */
export async function readFree(read: Read, wish: Wish): Promise<readonly StoredEvent[]> {
  const { ownerId, gone, leased, visibleFrom, limit } = wish
  const found: StoredEvent[] = []
  let from = wish.cursor
  for (let size = Math.max(limit, SHORTEST_LOOK); ; size = Math.min(LOOK_GROWTH * size, LONGEST_LOOK)) {
    const to = from + size
    const packs = await runStatement<Look & Record<string, unknown>>(read, LOOK, [ownerId, from, to, gone, leased])
    const lastNo = packs[0]?.lastNo ?? 0
    const newest = newestOf(unpack(packs))
    const shown = newest.filter(({ event, isTaken }) => !isTaken && event.at > visibleFrom)
    const hidden = to < lastNo ? await readHidden(read, ownerId, { behind: to, lastNo }, shown) : NOTHING
    for (const { event, key } of shown) if (key === '' || !hidden.has(key)) found.push(event)
    if (found.length >= limit || to >= lastNo) return found.slice(0, limit)
    // A reader who comes back after days begins where the shelves do that are left.
    from = newest.length > 0 ? to : await readFirst(read, ownerId, to, lastNo)
  }
}

interface PackedEvent {
  readonly event: StoredEvent
  /** Empty when it has none. */
  readonly key: string
  readonly isTaken: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

function unpack(packs: readonly Pack[]): readonly PackedEvent[] {
  const texts = packs.flatMap(({ packed }) => packed?.split(RECORD) ?? [])
  const events = texts.map((text) => {
    const [no, id, kind, connectionId, at, key = '', payload = ''] = text.split(UNIT)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of that meaning
    const names = { id, kind, connectionId: connectionId === '' ? null : connectionId } as Names
    const isTaken = payload === ''
    return { event: { ...names, no: Number(no), at: instant(Number(at)), payload: readPayload(payload) }, key, isTaken }
  })
  // They come in no order.
  return events.toSorted((one, other) => one.event.no - other.event.no)
}

type Names = Pick<StoredEvent, 'id' | 'kind' | 'connectionId'>

function readPayload(text: string): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a payload is an object, and what it holds is checked when it is told
  return text === '' ? {} : (JSON.parse(text) as JsonObject)
}

/** Without those that a later one of the same look hides; of what is taken only what hides others matters. */
function newestOf(events: readonly PackedEvent[]): readonly PackedEvent[] {
  const seen = new Set<string>()
  const newest = events.toReversed().filter(({ key }) => {
    if (key === '') return true
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  return newest.toReversed()
}

/** A probe of every shelf for one key costs about as much as reading so many events. */
const EVENTS_PER_PROBE = 10
const READ_BEHIND = `
select distinct key from feed.event where owner_id = $1 and no > $2 and key = any($3::uuid[])`
// The limit keeps it a probe per key: joined freely, the planner may choose to read all that lies behind.
const PROBE_BEHIND = `
select asked.key from unnest($3::uuid[]) as asked (key), lateral (
  select from feed.event later where later.owner_id = $1 and later.key = asked.key and later.no > $2 limit 1) as later`

/** The keys of which there are events behind a number. */
async function readHidden(
  read: Read,
  ownerId: OwnerId,
  { behind, lastNo }: { readonly behind: number; readonly lastNo: number },
  events: readonly PackedEvent[],
): Promise<ReadonlySet<string>> {
  const keys = events.flatMap(({ key }) => (key === '' ? [] : [key]))
  if (keys.length === 0) return NOTHING
  const sql = lastNo - behind <= EVENTS_PER_PROBE * keys.length ? READ_BEHIND : PROBE_BEHIND
  const rows = await runStatement<{ key: string }>(read, sql, [ownerId, behind, keys])
  return new Set(rows.map(({ key }) => key))
}

/** The number before the next event. */
async function readFirst(read: Read, ownerId: OwnerId, behind: number, lastNo: number): Promise<number> {
  const [row] = await runStatement<{ no: number }>(
    read,
    'select no from feed.event where owner_id = $1 and no > $2 order by no limit 1',
    [ownerId, behind],
  )
  return row === undefined ? lastNo : row.no - 1
}

const CHOSEN = `
select string_agg(concat_ws(e'\\x1f', ${MEMBERS}, '', e.payload::text), e'\\x1e') as packed from feed.event e
where e.owner_id = $1 and e.no >= lower($2::int8multirange) and e.no < upper($2::int8multirange)
  and e.no <@ $2::int8multirange
group by e.no / 32`

/** A page that was read before, also when its events are gone from their channel. */
export async function readChosen(read: Read, ownerId: OwnerId, chosen: NumberSet): Promise<readonly StoredEvent[]> {
  const packs = await runStatement<Pack & Record<string, unknown>>(read, CHOSEN, [ownerId, chosen])
  return unpack(packs).map(({ event }) => event)
}
