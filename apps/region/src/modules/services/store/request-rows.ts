import type { ServiceId, UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { RequestRow, ServiceName } from '../model.ts'

/** The published rows, in their order. */
export function listRequestRows(read: Read, companyId: UserId, serviceId: ServiceId): Promise<readonly RequestRow[]> {
  return runStatement<RequestRow & Record<string, unknown>>(
    read,
    `select id, slug, label, type, one_time as "oneTime", mandatory_provide as "mandatoryProvide",
      mandatory_connected as "mandatoryConnected", audience, verified, verified_max_age_days as "verifiedMaxAgeDays", plugin
    from services.request_row where company_id = $1 and service_id = $2 order by place`,
    [companyId, serviceId],
  )
}

/** Deletes all rows before it inserts: two rows may exchange their slugs. */
export async function replaceRequestRows(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  rows: readonly RequestRow[],
): Promise<void> {
  const sql = 'delete from services.request_row where company_id = $1 and service_id = $2'
  await runStatement(tx, sql, [companyId, serviceId])
  await runStatement(
    tx,
    `insert into services.request_row (company_id, service_id, id, place, slug, label, type, one_time, mandatory_provide,
      mandatory_connected, audience, verified, verified_max_age_days, plugin)
    select $1, $2, (r->>'id')::uuid, place, r->>'slug', r->>'label', r->>'type', (r->>'oneTime')::boolean,
      (r->>'mandatoryProvide')::boolean, (r->>'mandatoryConnected')::boolean, r->>'audience', (r->>'verified')::boolean,
      (r->>'verifiedMaxAgeDays')::integer, nullif(r->'plugin', 'null'::jsonb)
    from jsonb_array_elements($3::jsonb) with ordinality as given (r, place)`,
    [companyId, serviceId, JSON.stringify(rows)],
  )
}
