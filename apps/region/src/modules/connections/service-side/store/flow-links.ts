import type { ConnectionId, ServiceId } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { StoredLink } from '../model.ts'

const LINK = `connection_id as "connectionId", flow_id as "flowId", slug, rev::float8 as rev, type, run_id as "runId",
  is_shared as "isShared", is_private as "isPrivate", value, object_key as "objectKey", content_sha256 as sha256,
  bytes::float8 as bytes, content_type as "contentType", form, attested,
  round(extract(epoch from updated_at) * 1000)::float8 as "updatedAt"`

/** The connection's row lock covers its links. */
export async function findLink(
  read: Read,
  serviceId: ServiceId,
  { connectionId, flowId, slug }: Pick<StoredLink, 'connectionId' | 'flowId' | 'slug'>,
): Promise<StoredLink | null> {
  const [row] = await runStatement<StoredLink & Record<string, unknown>>(
    read,
    `select ${LINK} from connections_service.flow_link
    where service_id = $1 and connection_id = $2 and flow_id = $3 and slug = $4`,
    [serviceId, connectionId, flowId, slug],
  )
  return row ?? null
}

export async function putLink(tx: Tx, serviceId: ServiceId, link: StoredLink): Promise<void> {
  await runStatement(
    tx,
    `insert into connections_service.flow_link (service_id, connection_id, flow_id, slug, rev, type, run_id, is_shared,
      is_private, value, object_key, content_sha256, bytes, content_type, form, attested, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, to_timestamp($17 / 1000.0))
    on conflict (service_id, connection_id, flow_id, slug) do update set rev = excluded.rev, type = excluded.type,
      run_id = excluded.run_id, is_shared = excluded.is_shared, is_private = excluded.is_private,
      value = excluded.value, object_key = excluded.object_key, content_sha256 = excluded.content_sha256,
      bytes = excluded.bytes, content_type = excluded.content_type, form = excluded.form,
      attested = excluded.attested, updated_at = excluded.updated_at`,
    [
      serviceId,
      link.connectionId,
      link.flowId,
      link.slug,
      link.rev,
      link.type,
      link.runId,
      link.isShared,
      link.isPrivate,
      link.value,
      link.objectKey,
      link.sha256,
      link.bytes,
      link.contentType,
      link.form,
      link.attested,
      link.updatedAt,
    ],
  )
}

/** Before the connections themselves; answers the objects. */
export async function deleteLinks(
  tx: Tx,
  serviceId: ServiceId,
  connections: readonly ConnectionId[],
): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey | null }>(
    tx,
    `delete from connections_service.flow_link where service_id = $1 and connection_id = any($2::uuid[])
    returning object_key as key`,
    [serviceId, connections],
  )
  return rows.flatMap(({ key }) => key ?? [])
}

/** The run no longer holds the files: links that still showed its copies are empty until the next edit. */
export async function forgetRunCopies(tx: Tx, serviceId: ServiceId, runId: string): Promise<void> {
  await runStatement(
    tx,
    `update connections_service.flow_link set content_sha256 = null
    where service_id = $1 and run_id = $2 and object_key is null`,
    [serviceId, runId],
  )
}

/** In their order, for the comparison with the object store. */
export async function listLinkObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    read,
    'select object_key as key from connections_service.flow_link where object_key > $1 order by object_key limit $2',
    [after, limit],
  )
  return rows.map(({ key }) => key)
}
