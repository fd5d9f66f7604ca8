import { type ConnectionId, type EventId, type Instant, instant, type ServiceId, type UserId } from '@sealpost/kernel'
import { emptyPartition, type Partition, type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { EventKind, FeedOwner, JsonObject, NumberSet, OwnerId, StoredEvent } from '../model.ts'
import { ADVANCE, DUE_QUEUES } from './heads.ts'

export interface EventRow {
  readonly ownerId: OwnerId
  readonly accountId: UserId
  readonly ownerKind: FeedOwner['kind']
  /** The number of events of the same owner that follow in the same call. */
  readonly later: number
  readonly id: EventId
  readonly kind: EventKind
  readonly connectionId: ConnectionId | null
  readonly payload: JsonObject
  readonly key: string | null
}

const INSERT = `
with given as materialized (
  select * from jsonb_to_recordset($1::jsonb) as e ("ownerId" uuid, "accountId" uuid, "ownerKind" text, later int,
    id uuid, kind text, key uuid, "connectionId" uuid, payload jsonb)
), head as (
  insert into feed.head as head (owner_id, account_id, kind, last_no)
  select "ownerId", "accountId", "ownerKind", count(*) from given group by 1, 2, 3 order by 1 ${ADVANCE}
), inserted as (
  insert into feed.event (owner_id, no, partition, id, kind, key, connection_id, payload, at)
  select e."ownerId", head."lastNo" - e.later, $2, e.id, e.kind, e.key, e."connectionId", e.payload,
    to_timestamp($3 / 1000.0)
  from given e join head on head."ownerId" = e."ownerId"
)
select coalesce(bool_or("isDue"), false) as "isDue" from head`

/** Advances the heads of the owners, in the order of their ids, and numbers the events; those of a deleted feed are discarded. */
export async function insertEvents(
  tx: Tx,
  { at, partition }: { readonly at: Instant; readonly partition: Partition },
  rows: readonly EventRow[],
): Promise<void> {
  if (rows.length === 0) return
  const [found] = await runStatement<{ isDue: boolean }>(tx, INSERT, [JSON.stringify(rows), partition, at])
  if (found?.isDue === true) tx.wake(DUE_QUEUES)
}

/** Empties one day of all owners: [Note: daily partitions]. */
export function sweepEvents(tx: Tx, partition: Partition, oldestKept: Instant): Promise<boolean> {
  return emptyPartition(tx, 'feed.event', partition, oldestKept)
}

// [Note: packed events] A row carries 32 events as one text, because the cost of the driver grows with rows and columns. A
// whole page in one text would be a large object, which V8 frees only in a full collection. Members end with the unit
// separator, events with the record separator; JSON escapes both, and the other members are ids, digits and words.
const UNIT = '\u001f'
const RECORD = '\u001e'
const MEMBERS = `e.no, e.id, e.kind, coalesce(e.connection_id::text, ''), round(date_part('epoch', e.at) * 1000)::int8`

export interface FreeEventsQuery {
  readonly ownerId: OwnerId
  /** All numbers up to here are gone. */
  readonly cursor: number
  readonly gone: NumberSet
  readonly leased: NumberSet
  readonly visibleFrom: Instant
  readonly limit: number
}

/** Each further scan covers more numbers than the one before, up to a limit. */
const SHORTEST_SCAN = 100
const LONGEST_SCAN = 10_000
const SCAN_GROWTH = 4

const SCAN = `
select pack.packed, head.last_no as "lastNo" from feed.head head left join (
  select string_agg(concat_ws(e'\\x1f', ${MEMBERS}, coalesce(e.key::text, ''),
    case when excluded.numbers @> e.no then '' else e.payload::text end), e'\\x1e') as packed
  from feed.event e, (select $4::int8multirange + $5::int8multirange as numbers offset 0) as excluded
  where e.owner_id = $1 and e.no > $2 and e.no <= $3 group by e.no / 32) as pack on true
where head.owner_id = $1`

interface Pack {
  readonly packed: string | null
}

interface ScanRow extends Pack {
  readonly lastNo: number
}

/**
 * The oldest events that are neither gone nor leased.
 *
 * [Note: scans] An owner's numbers have no gaps, so a scan selects a range of numbers: the planner cannot choose to read
 * more rows than that. An event that is hidden by a later one of its key stays hidden, also when the later one is gone.
 * Beyond the range this costs one lookup per key, and none at the end of the feed. So a person who changes one field
 * again and again cannot make the feed of a service unreadable.
 */
export async function readFree(read: Read, query: FreeEventsQuery): Promise<readonly StoredEvent[]> {
  const { ownerId, gone, leased, visibleFrom, limit } = query
  const found: StoredEvent[] = []
  let from = query.cursor
  for (let size = Math.max(limit, SHORTEST_SCAN); ; size = Math.min(SCAN_GROWTH * size, LONGEST_SCAN)) {
    const to = from + size
    const packs = await runStatement<ScanRow & Record<string, unknown>>(read, SCAN, [ownerId, from, to, gone, leased])
    const lastNo = packs[0]?.lastNo ?? 0
    const newest = newestOf(unpack(packs))
    const visible = newest.filter(({ event, isExcluded }) => !isExcluded && event.at > visibleFrom)
    const hidden = to < lastNo ? await readHiddenKeys(read, ownerId, { after: to, lastNo }, visible) : NO_KEYS
    for (const { event, key } of visible) if (key === '' || !hidden.has(key)) found.push(event)
    if (found.length >= limit || to >= lastNo) return found.slice(0, limit)
    // A reader that returns after days skips the numbers of swept partitions.
    from = newest.length > 0 ? to : await readNumberBeforeNext(read, ownerId, to, lastNo)
  }
}

interface PackedEvent {
  readonly event: StoredEvent
  /** Empty for an event without a key. */
  readonly key: string
  /** It is gone or leased, and matters only because it may hide others. */
  readonly isExcluded: boolean
}

const NO_KEYS: ReadonlySet<string> = new Set()

function unpack(packs: readonly Pack[]): readonly PackedEvent[] {
  const texts = packs.flatMap(({ packed }) => packed?.split(RECORD) ?? [])
  const events = texts.map((text) => {
    const [no, id, kind, connectionId, at, key = '', payload = ''] = text.split(UNIT)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- columns of that meaning
    const names = { id, kind, connectionId: connectionId === '' ? null : connectionId } as Names
    const isExcluded = payload === ''
    return {
      event: { ...names, no: Number(no), at: instant(Number(at)), payload: readPayload(payload) },
      key,
      isExcluded,
    }
  })
  // The statement does not order them.
  return events.toSorted((one, other) => one.event.no - other.event.no)
}

type Names = Pick<StoredEvent, 'id' | 'kind' | 'connectionId'>

function readPayload(text: string): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a payload is an object, and its members are checked when it is rendered
  return text === '' ? {} : (JSON.parse(text) as JsonObject)
}

/** The events that no later event of the same scan hides. */
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

/** Probing every partition for one key costs about as much as reading this many events. */
const EVENTS_PER_PROBE = 10
const READ_LATER_KEYS = `
select distinct key from feed.event where owner_id = $1 and no > $2 and key = any($3::uuid[])`
// The limit forces one probe per key; with a plain join the planner may read all later events.
const PROBE_LATER_KEYS = `
select wanted.key from unnest($3::uuid[]) as wanted (key), lateral (
  select from feed.event later where later.owner_id = $1 and later.key = wanted.key and later.no > $2 limit 1) as later`

/** The keys that have events after a number. */
async function readHiddenKeys(
  read: Read,
  ownerId: OwnerId,
  { after, lastNo }: { readonly after: number; readonly lastNo: number },
  events: readonly PackedEvent[],
): Promise<ReadonlySet<string>> {
  const keys = events.flatMap(({ key }) => (key === '' ? [] : [key]))
  if (keys.length === 0) return NO_KEYS
  const sql = lastNo - after <= EVENTS_PER_PROBE * keys.length ? READ_LATER_KEYS : PROBE_LATER_KEYS
  const rows = await runStatement<{ key: string }>(read, sql, [ownerId, after, keys])
  return new Set(rows.map(({ key }) => key))
}

/** The number before the next event that is still stored. */
async function readNumberBeforeNext(read: Read, ownerId: OwnerId, after: number, lastNo: number): Promise<number> {
  const [row] = await runStatement<{ no: number }>(
    read,
    'select no from feed.event where owner_id = $1 and no > $2 order by no limit 1',
    [ownerId, after],
  )
  return row === undefined ? lastNo : row.no - 1
}

const CHOSEN = `
select string_agg(concat_ws(e'\\x1f', ${MEMBERS}, '', e.payload::text), e'\\x1e') as packed from feed.event e
where e.owner_id = $1 and e.no >= lower($2::int8multirange) and e.no < upper($2::int8multirange)
  and e.no <@ $2::int8multirange
group by e.no / 32`

/** The events of a page that was read before, also when they are gone from its channel. */
export async function readChosen(read: Read, ownerId: OwnerId, chosen: NumberSet): Promise<readonly StoredEvent[]> {
  const packs = await runStatement<Pack & Record<string, unknown>>(read, CHOSEN, [ownerId, chosen])
  return unpack(packs).map(({ event }) => event)
}

/** The number before the first event since then; null when there is none. */
export async function findNumberBefore(read: Read, serviceId: ServiceId, since: Instant): Promise<number | null> {
  const [row] = await runStatement<{ no: number | null }>(
    read,
    'select min(no) - 1 as no from feed.event where owner_id = $1 and at >= to_timestamp($2 / 1000.0)',
    [serviceId, since],
  )
  return row?.no ?? null
}
