import type { ConnectionId, EventId, Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { EventKind, JsonObject, StoredEvent } from '../event.ts'
import type { OwnerId } from '../owner.ts'
import type { Shelf } from '../rules.ts'

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

const COLUMNS = `e.no, e.id, e.kind, e.connection_id as "connectionId", e.payload,
  round(extract(epoch from e.at) * 1000)::float8 as at`

/** A set of numbers as PostgreSQL writes it: `{[1,5),[7,9)}`. */
export type NumberSet = string

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

const FREE = `
with ahead as materialized (
  select * from feed.event e
  where e.owner_id = $1 and e.no > $2 and not e.no <@ ($3::int8multirange + $4::int8multirange)
    and e.at > to_timestamp($5 / 1000.0)
  order by e.no limit $7),
newest as materialized (
  select * from (select *, lead(no) over (partition by key order by no) as next from ahead) as e
  where e.key is null or e.next is null),
shown as (
  select ${COLUMNS} from newest e
  where e.key is null or not exists (
    select from feed.event later where later.owner_id = $1 and later.key = e.key and later.no > e.no)
  order by e.no limit $6)
select shown.*, look."lookedAt", look."lookedTo"
from (select count(*)::float8 as "lookedAt", max(no)::float8 as "lookedTo" from ahead) as look left join shown on true
order by shown.no`

type FreeRow = { readonly lookedAt: number; readonly lookedTo: number | null } & (
  | StoredEvent
  | { readonly [member in keyof StoredEvent]: null }
)

/**
 * [Note: looks] The oldest events that nobody has taken. One that a later event of its key hides stays hidden, whatever
 * becomes of that. Whether there is a later one is asked once per key and look, not once per event: a person who changes
 * one field over and over must not make the feed of a service unreadable.
 */
export async function readFree(read: Read, wish: Wish): Promise<readonly StoredEvent[]> {
  const { ownerId, gone, leased, visibleFrom, limit } = wish
  const found: StoredEvent[] = []
  let { cursor } = wish
  for (let size = Math.max(limit, SHORTEST_LOOK); ; size = Math.min(LOOK_GROWTH * size, LONGEST_LOOK)) {
    const values = [ownerId, cursor, gone, leased, visibleFrom, limit - found.length, size]
    const rows = await runStatement<FreeRow>(read, FREE, values)
    for (const { lookedAt: _at, lookedTo: _to, ...event } of rows) if (event.id !== null) found.push(event)
    const [look] = rows
    if (found.length >= limit || look === undefined || look.lookedTo === null || look.lookedAt < size) return found
    cursor = look.lookedTo
  }
}

const CHOSEN = `
select ${COLUMNS} from feed.event e
where e.owner_id = $1 and e.no between lower($2::int8multirange) and upper($2::int8multirange)
  and e.no <@ $2::int8multirange
order by e.no`

/** A page that was read before, also when its events are gone from their channel. */
export async function readChosen(read: Read, ownerId: OwnerId, chosen: NumberSet): Promise<readonly StoredEvent[]> {
  return runStatement<StoredEvent>(read, CHOSEN, [ownerId, chosen])
}
