import type { UserId } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Slice } from '../../../platform/page.ts'
import type { ServiceName } from '../../services/index.ts'
import type { FlowId, FlowName, FlowVersion } from '../model.ts'
import type { NewVersion, VersionSummary } from '../model.ts'
import { type CustomerField, customerFields } from '../rules/customer-fields.ts'
import { namedPlugins } from '../rules/named-plugins.ts'
import { definitionToText, readDefinitionText } from './definition-text.ts'

const VERSION = `v.company_id as "companyId", v.service_id as "serviceId", v.flow_id as "flowId", v.version, v.name,
  v.definition, round(extract(epoch from v.published_at) * 1000)::float8 as "publishedAt"`

type VersionRow = Omit<FlowVersion, 'definition'> & { readonly definition: string }

export async function insertVersion(tx: Tx, version: NewVersion): Promise<void> {
  await runStatement(
    tx,
    `insert into flows_service.version (company_id, service_id, flow_id, version, name, definition, published_at,
      published_by, customer_fields, plugin_ids)
    values ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0), $8, $9, $10)`,
    [
      ...keyOf(version),
      version.version,
      version.name,
      definitionToText(version.definition),
      version.publishedAt,
      version.publishedBy,
      JSON.stringify(customerFields(version.definition)),
      [...namedPlugins(version.definition)],
    ],
  )
}

/** The latest version of a flow that is not deleted; null where there is none. */
export async function readPublished(read: Read, flow: FlowName): Promise<FlowVersion | null> {
  const [row] = await runStatement<VersionRow & Record<string, unknown>>(
    read,
    `select ${VERSION} from flows_service.flow f
    join flows_service.version v on v.company_id = f.company_id and v.service_id = f.service_id and v.flow_id = f.id
      and v.version = f.published_version
    where f.company_id = $1 and f.service_id = $2 and f.id = $3 and f.archived_at is null`,
    keyOf(flow),
  )
  return row === undefined ? null : toVersion(row)
}

/** Any version, also of a deleted flow: the runs that pinned it go on. */
export async function readVersion(read: Read, flow: FlowName, version: number): Promise<FlowVersion | null> {
  const [row] = await runStatement<VersionRow & Record<string, unknown>>(
    read,
    `select ${VERSION} from flows_service.version v
    where v.company_id = $1 and v.service_id = $2 and v.flow_id = $3 and v.version = $4`,
    [...keyOf(flow), version],
  )
  return row === undefined ? null : toVersion(row)
}

/** Oldest first; `after` is the number of the last version of the previous page. */
export function listVersionRows(
  read: Read,
  flow: FlowName,
  { after, offset, limit }: Slice,
): Promise<readonly VersionSummary[]> {
  return runStatement<VersionSummary & Record<string, unknown>>(
    read,
    `select version, name, round(extract(epoch from published_at) * 1000)::float8 as "publishedAt",
      published_by as "publishedBy"
    from flows_service.version
    where company_id = $1 and service_id = $2 and flow_id = $3 and ($4::integer is null or version > $4)
    order by version offset $5 limit $6`,
    [...keyOf(flow), after, offset, limit],
  )
}

export interface FlowFields {
  readonly flowId: FlowId
  readonly flowName: string
  readonly flowVersion: number
  readonly fields: readonly CustomerField[]
}

/** Of the latest versions of the service's flows, oldest flow first. */
export function listCustomerFields(read: Read, { companyId, serviceId }: ServiceName): Promise<readonly FlowFields[]> {
  return runStatement<FlowFields & Record<string, unknown>>(
    read,
    `select f.id as "flowId", v.name as "flowName", v.version as "flowVersion", v.customer_fields as fields
    from flows_service.flow f
    join flows_service.version v on v.company_id = f.company_id and v.service_id = f.service_id and v.flow_id = f.id
      and v.version = f.published_version
    where f.company_id = $1 and f.service_id = $2 and f.archived_at is null order by f.id`,
    [companyId, serviceId],
  )
}

interface NamedVersion extends FlowName {
  readonly version: number
  /** Of the flow. */
  readonly name: string
}

/** Versions of all flows of the company, deleted ones included, whose definition may name the plugin; latest first. */
export function listVersionsNaming(read: Read, companyId: UserId, pluginId: string): Promise<readonly NamedVersion[]> {
  return runStatement<NamedVersion & Record<string, unknown>>(
    read,
    `select v.company_id as "companyId", v.service_id as "serviceId", v.flow_id as "flowId", v.version, f.name
    from flows_service.version v
    join flows_service.flow f on f.company_id = v.company_id and f.service_id = v.service_id and f.id = v.flow_id
    where v.company_id = $1
      and case when v.plugin_ids is null then position($2 in v.definition) > 0 else $2 = any(v.plugin_ids) end
    order by v.flow_id, v.version desc`,
    [companyId, pluginId],
  )
}

function keyOf({ companyId, serviceId, flowId }: FlowName): [string, string, string] {
  return [companyId, serviceId, flowId]
}

function toVersion(row: VersionRow): FlowVersion {
  return { ...row, definition: readDefinitionText(row.definition) }
}
