import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { ServiceName } from '../../services/index.ts'
import type { FlowId, FlowName } from '../model.ts'
import type { FlowDraft, FlowSummary } from '../model.ts'
import { definitionToText, readDefinitionText } from './definition-text.ts'

const SUMMARY = `id, name, published_version as "publishedVersion",
  round(extract(epoch from created_at) * 1000)::float8 as "createdAt",
  round(extract(epoch from updated_at) * 1000)::float8 as "updatedAt"`
const DRAFT = `company_id as "companyId", service_id as "serviceId", id as "flowId", definition, ${SUMMARY}`
const FIND = `select ${DRAFT} from flows_service.flow
  where company_id = $1 and service_id = $2 and id = $3 and archived_at is null`

type DraftRow = Omit<FlowDraft, 'definition'> & { readonly definition: string }

export async function insertFlow(tx: Tx, flow: FlowDraft): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.flow (company_id, service_id, id, name, definition, created_at, updated_at)
    values ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), to_timestamp($7 / 1000.0))`,
    [...keyOf(flow), flow.name, definitionToText(flow.definition), flow.createdAt, flow.updatedAt],
  )
}

/** Null for an unknown flow, another service's and a deleted one. */
export async function findFlow(read: Read, flow: FlowName): Promise<FlowDraft | null> {
  const [row] = await runStatement<DraftRow & Record<string, unknown>>(read, FIND, keyOf(flow))
  return row === undefined ? null : toDraft(row)
}

/** FOR UPDATE: two authors who change or publish one draft follow each other. */
export async function lockFlow(tx: Tx, flow: FlowName): Promise<FlowDraft | null> {
  const [row] = await runStatement<DraftRow & Record<string, unknown>>(tx, `${FIND} for update`, keyOf(flow))
  return row === undefined ? null : toDraft(row)
}

/** The number of the latest version. Null where there is no such flow, and 0 before the first version. */
export async function findPublishedVersion(read: Read, flow: FlowName): Promise<number | null> {
  const sql = `select coalesce(published_version, 0) as version from flows_service.flow
    where company_id = $1 and service_id = $2 and id = $3 and archived_at is null`
  const [row] = await runStatement<{ version: number }>(read, sql, keyOf(flow))
  return row?.version ?? null
}

export async function updateDraft(
  tx: Tx,
  flow: FlowName & Pick<FlowDraft, 'name' | 'definition' | 'updatedAt'>,
): Promise<void> {
  await runStatement(
    tx,
    `update flows_service.flow set name = $4, definition = $5, updated_at = to_timestamp($6 / 1000.0)
    where company_id = $1 and service_id = $2 and id = $3`,
    [...keyOf(flow), flow.name, definitionToText(flow.definition), flow.updatedAt],
  )
}

export async function setPublishedVersion(tx: Tx, flow: FlowName, version: number): Promise<void> {
  const sql = `update flows_service.flow set published_version = $4
    where company_id = $1 and service_id = $2 and id = $3`
  await runStatement(tx, sql, [...keyOf(flow), version])
}

/** Oldest first. */
export function listFlowRows(
  read: Read,
  { companyId, serviceId }: ServiceName,
  { after, offset, limit }: Slice<FlowId>,
): Promise<readonly FlowSummary[]> {
  return runStatement<FlowSummary & Record<string, unknown>>(
    read,
    `select ${SUMMARY} from flows_service.flow
    where company_id = $1 and service_id = $2 and archived_at is null and ($3::uuid is null or id > $3)
    order by id offset $4 limit $5`,
    [companyId, serviceId, after, offset, limit],
  )
}

/** A flow with versions stays for the runs that pinned one: it is only hidden. */
export async function archiveFlow(tx: Tx, flow: FlowName, at: number): Promise<void> {
  const sql = `update flows_service.flow set archived_at = to_timestamp($4 / 1000.0)
    where company_id = $1 and service_id = $2 and id = $3`
  await runStatement(tx, sql, [...keyOf(flow), at])
}

export async function deleteFlowRow(tx: Tx, flow: FlowName): Promise<void> {
  await runStatement(
    tx,
    'delete from flows_service.flow where company_id = $1 and service_id = $2 and id = $3',
    keyOf(flow),
  )
}

/** Of a service that is deleted. The versions that its runs pinned stay: a run is read with its definition. */
export async function deleteFlowRows(tx: Tx, service: ServiceName): Promise<void> {
  const owner = [service.companyId, service.serviceId]
  await runStatement(tx, 'delete from flows_service.version_asset where company_id = $1 and service_id = $2', owner)
  await deleteUnpinned(tx, service)
  await runStatement(tx, 'delete from flows_service.flow where company_id = $1 and service_id = $2', owner)
}

/** Versions of a deleted service that no run pinned. */
export async function deleteUnpinned(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  await runStatement(
    tx,
    `delete from flows_service.version v where v.company_id = $1 and v.service_id = $2 and not exists (
      select 1 from flows_service.run r where r.service_id = $2 and r.flow_id = v.flow_id and r.flow_version = v.version)`,
    [companyId, serviceId],
  )
}

function keyOf({ companyId, serviceId, flowId }: FlowName): [string, string, string] {
  return [companyId, serviceId, flowId]
}

function toDraft(row: DraftRow): FlowDraft {
  return { ...row, definition: readDefinitionText(row.definition) }
}
