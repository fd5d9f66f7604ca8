import { formatInstant, type Instant } from '@sealpost/kernel'
import { type Read, runStatement, truncatePartition, type Tx } from '@sealpost/postgres'
import { type Day, partitionOfDay } from '../partitions.ts'

export interface OutboxDay {
  readonly day: Day
  readonly clearAt: number | null
}

export async function readDays(read: Read): Promise<readonly OutboxDay[]> {
  const rows = await runStatement<{ day: string; clear_at: number | null }>(
    read,
    'select day::text, (extract(epoch from clear_at) * 1000)::float8 as clear_at from bus.outbox_day order by day',
    [],
  )
  return rows.map((row) => ({ day: row.day, clearAt: row.clear_at }))
}

const RECORD = `
insert into bus.outbox_day (day)
select generate_series(coalesce((select max(day) + 1 from bus.outbox_day), $1::date), $1::date, interval '1 day')::date
on conflict do nothing`

/** Every day up to this one, also those on which no upkeep ran. */
export async function recordDays(tx: Tx, upTo: Day): Promise<void> {
  await runStatement(tx, RECORD, [upTo])
}

/** A partition that comes into use again before it was emptied holds an older day too: its rows are treated alike. */
const UNCONFIRMED = `
select 1 from bus.lane join bus.outbox o
  on o.target = lane.target and o.key = lane.key and o.incarnation = lane.incarnation and o.seq > lane.confirmed_seq
where lane.pending and o.partition = $1 and o.day <= $2::date limit 1`

export async function hasUnconfirmed(read: Read, day: Day): Promise<boolean> {
  return (await runStatement(read, UNCONFIRMED, [partitionOfDay(day), day])).length > 0
}

/** From now on no row of that day is unconfirmed. */
export async function markClear(tx: Tx, day: Day, now: Instant): Promise<void> {
  await runStatement(tx, 'update bus.outbox_day set clear_at = $2 where day = $1', [day, formatInstant(now)])
}

const CARRY_OVER = `
update bus.outbox o set partition = $3, day = $4::date
from bus.lane
where o.partition = $1 and o.day <= $2::date
  and o.target = lane.target and o.key = lane.key and o.incarnation = lane.incarnation
  and lane.pending and o.seq > lane.confirmed_seq`

export async function carryOver(tx: Tx, from: Day, to: Day): Promise<void> {
  await runStatement(tx, CARRY_OVER, [partitionOfDay(from), from, partitionOfDay(to), to])
}

const ATTACHED = `
select distinct attachment ->> 'objectKey' as object_key from bus.outbox
where partition = $1 and day <= $2::date and attachment is not null`

export async function readAttachedObjects(read: Read, day: Day): Promise<readonly string[]> {
  const rows = await runStatement<{ object_key: string }>(read, ATTACHED, [partitionOfDay(day), day])
  return rows.map((row) => row.object_key)
}

const ALL_ATTACHED = `select distinct attachment ->> 'objectKey' as object_key from bus.outbox where attachment is not null`

/** The objects of all tells that are kept. */
export async function listAttachedObjects(read: Read): Promise<ReadonlySet<string>> {
  const rows = await runStatement<{ object_key: string }>(read, ALL_ATTACHED, [])
  return new Set(rows.map((row) => row.object_key))
}

const LATER = 'select 1 from bus.outbox where partition = $1 and day > $2::date limit 1'

/** Whether the partition of that day is already used by a later one. */
export async function isReused(read: Read, day: Day): Promise<boolean> {
  return (await runStatement(read, LATER, [partitionOfDay(day), day])).length > 0
}

/** False when its partition could not be emptied now. */
export function emptyDay(tx: Tx, day: Day): Promise<boolean> {
  const mayGo = async (): Promise<boolean> => !(await isReused(tx, day)) && !(await hasUnconfirmed(tx, day))
  return truncatePartition(tx, 'bus.outbox', partitionOfDay(day), mayGo)
}

export async function deleteDay(tx: Tx, day: Day): Promise<void> {
  await runStatement(tx, 'delete from bus.outbox_day where day = $1', [day])
}
