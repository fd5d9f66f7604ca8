import type { Instant } from '@sealpost/kernel'
import type { ObjectKey } from '@sealpost/objects'
import type { TemplateScan } from '@sealpost/pdf-format'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { ServiceName } from '../../services/index.ts'
import type { FlowName } from '../model.ts'
import type { Asset } from '../model.ts'
import type { AssetsHeld } from '../rules/asset-limits.ts'

const ASSET = `key, kind, mime_type as "mimeType", original_name as "originalName", object_key as "objectKey", sha256,
  bytes::float8 as bytes, round(extract(epoch from created_at) * 1000)::float8 as "createdAt"`

export async function insertAsset(tx: Tx, flow: FlowName, asset: Asset, scan: TemplateScan | null): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.asset (company_id, service_id, flow_id, key, kind, mime_type, original_name, object_key,
      sha256, bytes, created_at, scan)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11 / 1000.0), $12)`,
    [
      ...keyOf(flow),
      asset.key,
      asset.kind,
      asset.mimeType,
      asset.originalName,
      asset.objectKey,
      asset.sha256,
      asset.bytes,
      asset.createdAt,
      scan === null ? null : JSON.stringify(scan),
    ],
  )
}

/** Also of a file that was deleted from the draft: versions keep it. */
export async function findAsset(read: Read, flow: FlowName, key: string): Promise<Asset | null> {
  const sql = `select ${ASSET} from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and key = $4`
  const [row] = await runStatement<Asset & Record<string, unknown>>(read, sql, [...keyOf(flow), key])
  return row ?? null
}

/** FOR UPDATE; null for a file that the draft does not have. */
export async function lockDraftAsset(tx: Tx, flow: FlowName, key: string): Promise<Asset | null> {
  const sql = `select ${ASSET} from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and key = $4 and deleted_at is null for update`
  const [row] = await runStatement<Asset & Record<string, unknown>>(tx, sql, [...keyOf(flow), key])
  return row ?? null
}

/** The files of the draft, in the order of their keys. */
export function listAssetRows(read: Read, flow: FlowName, { after, offset, limit }: Slice): Promise<readonly Asset[]> {
  return runStatement<Asset & Record<string, unknown>>(
    read,
    `select ${ASSET} from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and deleted_at is null and ($4::text is null or key > $4)
    order by key offset $5 limit $6`,
    [...keyOf(flow), after, offset, limit],
  )
}

/** All files of the draft: a flow has few. */
export function listDraftAssets(read: Read, flow: FlowName): Promise<readonly Asset[]> {
  return listAssetRows(read, flow, { after: null, offset: 0, limit: 1_000 })
}

export async function countAssets(read: Read, flow: FlowName): Promise<AssetsHeld> {
  const sql = `select count(*)::integer as files, coalesce(sum(bytes), 0)::float8 as bytes from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and deleted_at is null`
  const [row] = await runStatement<AssetsHeld & Record<string, unknown>>(read, sql, keyOf(flow))
  return row ?? { files: 0, bytes: 0 }
}

/** The tags of the templates that the draft has, by the keys of the files. */
export async function listTemplateTags(read: Read, flow: FlowName): Promise<ReadonlyMap<string, readonly string[]>> {
  const sql = `select key, scan->'keys' as tags from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and deleted_at is null and kind = 'pdf' order by key`
  const rows = await runStatement<{ key: string; tags: readonly string[] }>(read, sql, keyOf(flow))
  return new Map(rows.map(({ key, tags }) => [key, tags]))
}

/** The tags of these templates, also of files that were deleted from the draft: versions keep them. */
export async function listTagsOf(
  read: Read,
  flow: FlowName,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sql = `select key, coalesce(scan->'keys', '[]') as tags from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and kind = 'pdf' and key = any($4)`
  const rows = await runStatement<{ key: string; tags: readonly string[] }>(read, sql, [...keyOf(flow), keys])
  return new Map(rows.map(({ key, tags }) => [key, tags]))
}

/** The scan of a template of the draft; null for a picture and for an unknown key. */
export async function findScan(read: Read, flow: FlowName, key: string): Promise<TemplateScan | null> {
  const sql = `select scan from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and key = $4 and deleted_at is null`
  const [row] = await runStatement<{ scan: TemplateScan | null }>(read, sql, [...keyOf(flow), key])
  return row?.scan ?? null
}

export async function pinAssets(tx: Tx, flow: FlowName, version: number, keys: readonly string[]): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.version_asset (company_id, service_id, flow_id, asset_key, version)
    select $1, $2, $3, key, $4 from flows_service.asset
    where company_id = $1 and service_id = $2 and flow_id = $3 and deleted_at is null and key = any($5)`,
    [...keyOf(flow), version, keys],
  )
}

/** Deletes the row; false for a file that a version names, which is only hidden from the draft. */
export async function deleteAssetRow(tx: Tx, flow: FlowName, key: string, at: Instant): Promise<boolean> {
  const deleted = await runStatement(
    tx,
    `delete from flows_service.asset a
    where a.company_id = $1 and a.service_id = $2 and a.flow_id = $3 and a.key = $4 and not exists (
      select 1 from flows_service.version_asset v
      where v.company_id = $1 and v.service_id = $2 and v.flow_id = $3 and v.asset_key = $4)
    returning a.key`,
    [...keyOf(flow), key],
  )
  if (deleted.length > 0) return true
  await runStatement(
    tx,
    `update flows_service.asset set deleted_at = to_timestamp($5 / 1000.0)
    where company_id = $1 and service_id = $2 and flow_id = $3 and key = $4`,
    [...keyOf(flow), key, at],
  )
  return false
}

/** All files of a flow; answers their objects. */
export async function deleteAssetsOfFlow(tx: Tx, flow: FlowName): Promise<readonly ObjectKey[]> {
  const sql = `delete from flows_service.asset where company_id = $1 and service_id = $2 and flow_id = $3
    returning object_key as key`
  return (await runStatement<{ key: ObjectKey }>(tx, sql, keyOf(flow))).map(({ key }) => key)
}

/** At most `limit` files of a service; answers their objects. */
export async function deleteAssetRows(
  tx: Tx,
  { companyId, serviceId }: ServiceName,
  limit: number,
): Promise<readonly ObjectKey[]> {
  const rows = await runStatement<{ key: ObjectKey }>(
    tx,
    `delete from flows_service.asset where company_id = $1 and service_id = $2 and (flow_id, key) in (
      select flow_id, key from flows_service.asset where company_id = $1 and service_id = $2 limit $3)
    returning object_key as key`,
    [companyId, serviceId, limit],
  )
  return rows.map(({ key }) => key)
}

/** The objects that files of flows refer to, in their order; for the comparison with the store. */
export async function listAssetObjects(read: Read, after: string, limit: number): Promise<readonly ObjectKey[]> {
  const sql = 'select object_key as key from flows_service.asset where object_key > $1 order by object_key limit $2'
  return (await runStatement<{ key: ObjectKey }>(read, sql, [after, limit])).map(({ key }) => key)
}

function keyOf({ companyId, serviceId, flowId }: FlowName): [string, string, string] {
  return [companyId, serviceId, flowId]
}
