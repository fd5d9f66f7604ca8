import type { ConnectionId, Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { FlowValueRow, StoredFlowValue, StoredLink } from '../model.ts'

/** See [Note: lost attestations]. */
const LOST = `case when v.attested is not null then 'null'::jsonb end`

/** A later run replaces the value of its slug; `provided_at` keeps the time of the first one. */
export async function putFlowValue(
  tx: Tx,
  serviceId: ServiceId,
  connectionId: ConnectionId,
  value: StoredFlowValue,
): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_service.flow_value as v (service_id, connection_id, slug, flow_id, run_id, request_field_id, type,
      is_private, value, content_sha256, attested, updated_at, provided_at, live)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12 / 1000.0), to_timestamp($12 / 1000.0), $13)
    on conflict (service_id, connection_id, slug) do update set flow_id = excluded.flow_id, run_id = excluded.run_id,
      request_field_id = excluded.request_field_id, type = excluded.type, is_private = excluded.is_private,
      value = excluded.value, content_sha256 = excluded.content_sha256, updated_at = excluded.updated_at,
      live = excluded.live, attested = coalesce(excluded.attested, ${LOST})`,
    [
      serviceId,
      connectionId,
      value.slug,
      value.flowId,
      value.runId,
      value.requestFieldId,
      value.type,
      value.isPrivate,
      value.value,
      value.sha256,
      value.attested,
      value.at,
      value.live,
    ],
  )
}

export function listFlowValues(
  read: Read,
  serviceId: ServiceId,
  connections: readonly ConnectionId[],
): Promise<readonly FlowValueRow[]> {
  return runStatement<FlowValueRow & Record<string, unknown>>(
    read,
    `select connection_id as "connectionId", slug, flow_id as "flowId", run_id as "runId",
      request_field_id as "requestFieldId", type, is_private as "isPrivate", value, content_sha256 as sha256, live, attested,
      attested is not null as "wasAttested",
      round(extract(epoch from updated_at) * 1000)::float8 as "updatedAt",
      round(extract(epoch from provided_at) * 1000)::float8 as "providedAt"
    from connections_service.flow_value where service_id = $1 and connection_id = any($2::uuid[])`,
    [serviceId, connections],
  )
}

/** The files of the run are deleted; its texts stay with their connections, and so do files of links. */
export async function deleteFlowFilesOf(tx: Tx, serviceId: ServiceId, runId: string): Promise<void> {
  await runStatement(
    tx,
    `delete from connections_service.flow_value v where v.service_id = $1 and v.run_id = $2 and v.value is null
      and not exists (select 1 from connections_service.flow_link l where l.service_id = $1 and v.live
        and l.connection_id = v.connection_id and l.flow_id = v.flow_id and l.slug = v.slug and l.object_key is not null)`,
    [serviceId, runId],
  )
}

type LinkName = Pick<StoredLink, 'connectionId' | 'flowId' | 'slug'>

/** False when the connection shows no value of the link. */
export async function attestFlowValue(
  tx: Tx,
  serviceId: ServiceId,
  { connectionId, flowId, slug }: LinkName,
  { attested, at }: { readonly attested: StoredLink['attested']; readonly at: Instant },
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `update connections_service.flow_value v set attested = coalesce($5::jsonb, ${LOST}),
      updated_at = to_timestamp($6 / 1000.0)
    where service_id = $1 and connection_id = $2 and flow_id = $3 and slug = $4 and live returning slug`,
    [serviceId, connectionId, flowId, slug, attested, at],
  )
  return rows.length > 0
}

/** False when the connection shows no value of the link. */
export async function deleteLiveValue(
  tx: Tx,
  serviceId: ServiceId,
  { connectionId, flowId, slug }: LinkName,
): Promise<boolean> {
  const rows = await runStatement(
    tx,
    `delete from connections_service.flow_value
    where service_id = $1 and connection_id = $2 and flow_id = $3 and slug = $4 and live returning slug`,
    [serviceId, connectionId, flowId, slug],
  )
  return rows.length > 0
}
