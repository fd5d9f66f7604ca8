import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { LogRow, LogType, ServiceName } from '../model.ts'

export interface NewLogRow extends LogRow, ServiceName {}

const INSERT = `
with fresh as materialized (
  select * from jsonb_to_recordset($1::jsonb)
    as l ("companyId" uuid, "serviceId" uuid, id uuid, type text, message text, metadata jsonb, "createdAt" float8)
), heads as (
  insert into services.log_head as h (company_id, service_id, rows)
  select "companyId", "serviceId", count(*) from fresh group by "companyId", "serviceId" order by "serviceId"
  on conflict (service_id) do update set rows = h.rows + excluded.rows)
insert into services.log (company_id, service_id, id, type, message, metadata, created_at)
select "companyId", "serviceId", id, type, message, metadata, to_timestamp("createdAt" / 1000.0) from fresh`

/** Locks the rows of `services.log_head` in the order of the service ids. */
export async function insertLogs(tx: Tx, rows: readonly NewLogRow[]): Promise<void> {
  await runStatement(tx, INSERT, [JSON.stringify(rows)])
}

export interface LogFilter {
  readonly type: LogType | null
  readonly since: Instant | null
}

/** Newest first: `after` is the oldest entry of the page before. */
export function listLogRows(
  read: Read,
  { companyId, serviceId }: ServiceName,
  { type, since }: LogFilter,
  { after, offset, limit }: Slice,
): Promise<readonly LogRow[]> {
  return runStatement<LogRow & Record<string, unknown>>(
    read,
    `select id, type, message, metadata, round(extract(epoch from created_at) * 1000)::float8 as "createdAt"
    from services.log where company_id = $1 and service_id = $2 and ($3::text is null or type = $3)
      and ($4::float8 is null or created_at >= to_timestamp($4 / 1000.0)) and ($5::uuid is null or id < $5)
    order by id desc offset $6 limit $7`,
    [companyId, serviceId, type, since, after, offset, limit],
  )
}

export async function countLogs(read: Read, { companyId, serviceId }: ServiceName): Promise<number> {
  const sql = 'select rows from services.log_head where company_id = $1 and service_id = $2'
  const [row] = await runStatement<{ rows: number }>(read, sql, [companyId, serviceId])
  return row?.rows ?? 0
}

/** Across companies, for upkeep; answers the number of deleted rows. */
export async function deleteOldLogs(tx: Tx, before: Instant, limit: number): Promise<number> {
  const [row] = await runStatement<{ removed: number }>(
    tx,
    `with old as (
      select service_id, id from services.log where created_at < to_timestamp($1 / 1000.0)
      order by created_at limit $2 for update skip locked
    ), gone as (
      delete from services.log l using old where l.service_id = old.service_id and l.id = old.id returning l.service_id
    ), counted as (
      select service_id, count(*)::integer as rows from gone group by service_id
    ), heads as (
      update services.log_head h set rows = h.rows - c.rows from counted c where h.service_id = c.service_id
      returning h.service_id
    )
    select coalesce((select sum(rows) from counted), 0)::integer as removed, (select count(*) from heads) as heads`,
    [before, limit],
  )
  return row?.removed ?? 0
}

/** Part of the deletion of a service; answers the number of deleted rows. */
export async function deleteLogs(tx: Tx, { companyId, serviceId }: ServiceName, limit: number): Promise<number> {
  const rows = await runStatement(
    tx,
    `delete from services.log where company_id = $1 and service_id = $2 and id in (
      select id from services.log where company_id = $1 and service_id = $2 limit $3) returning id`,
    [companyId, serviceId, limit],
  )
  if (rows.length < limit) {
    await runStatement(tx, 'delete from services.log_head where company_id = $1 and service_id = $2', [
      companyId,
      serviceId,
    ])
  }
  return rows.length
}
