import type { ConnectionId, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { FlowValueRow, StoredFlowValue } from '../model.ts'

/** A later run replaces the value of its slug; `provided_at` keeps the time of the first one. */
export async function putFlowValue(
  tx: Tx,
  serviceId: ServiceId,
  connectionId: ConnectionId,
  value: StoredFlowValue,
): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_service.flow_value (service_id, connection_id, slug, flow_id, run_id, request_field_id, type,
      is_private, value, content_sha256, attested, updated_at, provided_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, to_timestamp($12 / 1000.0), to_timestamp($12 / 1000.0))
    on conflict (service_id, connection_id, slug) do update set flow_id = excluded.flow_id, run_id = excluded.run_id,
      request_field_id = excluded.request_field_id, type = excluded.type, is_private = excluded.is_private,
      value = excluded.value, content_sha256 = excluded.content_sha256, attested = excluded.attested,
      updated_at = excluded.updated_at`,
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
      request_field_id as "requestFieldId", type, is_private as "isPrivate", value, content_sha256 as sha256, attested,
      round(extract(epoch from updated_at) * 1000)::float8 as "updatedAt",
      round(extract(epoch from provided_at) * 1000)::float8 as "providedAt"
    from connections_service.flow_value where service_id = $1 and connection_id = any($2::uuid[])`,
    [serviceId, connections],
  )
}

/** The files of the run are deleted; the texts that it has brought stay with their connections. */
export async function deleteFlowFilesOf(tx: Tx, serviceId: ServiceId, runId: string): Promise<void> {
  const sql = 'delete from connections_service.flow_value where service_id = $1 and run_id = $2 and value is null'
  await runStatement(tx, sql, [serviceId, runId])
}
