import { formatInstant, type Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'

/** `2026-05-01`, in UTC. */
export type Day = string

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

/** Built beside the table and then attached, which does not stop anyone from telling meanwhile. */
export async function createDay(tx: Tx, day: Day): Promise<void> {
  await waitBriefly(tx)
  const rows = await runStatement(
    tx,
    'insert into bus.outbox_day (day) values ($1) on conflict do nothing returning day',
    [day],
  )
  if (rows.length === 0) return
  const table = partitionName(day)
  await runStatement(tx, `create table ${table} (like bus.outbox including all)`, [])
  const range = `from ('${day}') to ('${nextDay(day)}')`
  await runStatement(tx, `alter table bus.outbox attach partition ${table} for values ${range}`, [])
}

const UNCONFIRMED = `
select 1 from bus.lane join bus.outbox o
  on o.target = lane.target and o.key = lane.key and o.incarnation = lane.incarnation and o.seq > lane.confirmed_seq
where lane.pending and o.day = $1::date limit 1`

export async function hasUnconfirmed(read: Read, day: Day): Promise<boolean> {
  return (await runStatement(read, UNCONFIRMED, [day])).length > 0
}

/** From now on nothing in that day waits for anyone. */
export async function markClear(tx: Tx, day: Day, now: Instant): Promise<void> {
  await runStatement(tx, 'update bus.outbox_day set clear_at = $2 where day = $1', [day, formatInstant(now)])
}

const CARRY_OVER = `
update bus.outbox o set day = $2::date
from bus.lane
where o.day = $1::date and o.target = lane.target and o.key = lane.key and o.incarnation = lane.incarnation
  and lane.pending and o.seq > lane.confirmed_seq`

export async function carryOver(tx: Tx, from: Day, to: Day): Promise<void> {
  await runStatement(tx, CARRY_OVER, [from, to])
}

const ATTACHED = `
select distinct attachment ->> 'objectKey' as object_key from bus.outbox where day = $1::date and attachment is not null`

export async function readAttachedObjects(read: Read, day: Day): Promise<readonly string[]> {
  const rows = await runStatement<{ object_key: string }>(read, ATTACHED, [day])
  return rows.map((row) => row.object_key)
}

export async function dropDay(tx: Tx, day: Day): Promise<void> {
  await waitBriefly(tx)
  const table = partitionName(day)
  await runStatement(tx, `alter table bus.outbox detach partition ${table}`, [])
  await runStatement(tx, `drop table ${table}`, [])
  await runStatement(tx, 'delete from bus.outbox_day where day = $1', [day])
}

export function nextDay(day: Day): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

/** A maintenance step never makes callers wait behind it: it gives up and comes back. */
async function waitBriefly(tx: Tx): Promise<void> {
  await runStatement(tx, `set local lock_timeout = '2s'`, [])
}

/** A name cannot be a parameter, so nothing but a date may become one. */
function partitionName(day: Day): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`${day} is not a day`)
  return `bus.outbox_${day.replaceAll('-', '')}`
}
