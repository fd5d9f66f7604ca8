import type { ManagedRequestField, RequestFieldToPublish } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import type { PortalContext } from '../context.ts'

/** What a service asks its customers for: one row of its form. */
export interface AskedRow {
  /** Null for a row that is not published yet. */
  readonly id: string | null
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly oneTime: boolean
  /** A customer cannot connect without it. */
  readonly mandatoryProvide: boolean
  /** Withdrawing it ends the connection. */
  readonly mandatoryConnected: boolean
  readonly audience: 'person' | 'company' | 'both'
  readonly verified: boolean
  readonly maxAgeDays: number | null
  /** Answered by a plugin; published again as it is. */
  readonly plugin: { readonly pluginId: string | null; readonly name: string; readonly fieldType: string } | null
  /** Comes from a flow and is changed there. */
  readonly flowName: string | null
  /** How many customers have given a value. */
  readonly values: number
}

export interface AskedRows {
  /** Of this state of the rows: a publication by another user in between is refused. */
  readonly token: string
  readonly rows: readonly AskedRow[]
  /** What can be asked for. */
  readonly types: readonly string[]
}

export async function readRows(context: PortalContext, serviceId: string): Promise<AskedRows> {
  const { company } = requireOpen(context).client
  const [read, registry] = await Promise.all([
    company.requestFields.read(serviceId, { countsValues: true }),
    company.registry(),
  ])
  const types = registry.rows.flatMap((row) => {
    const type = typeof row === 'object' && row !== null && 'type' in row ? String(row.type) : null
    return type === null || isChoice(registry.resolve(type)) ? [] : [type]
  })
  return { token: read.config_token, rows: read.request_fields.map(rowOf), types }
}

/** Refused if another user has published since these rows were read. Rows of flows are not touched. */
export async function publishRows(
  context: PortalContext,
  wish: { readonly serviceId: string; readonly token: string; readonly rows: readonly AskedRow[] },
): Promise<void> {
  const { requestFields } = requireOpen(context).client.company
  const rows = wish.rows.filter(({ flowName }) => flowName === null).map(publishedOf)
  await requestFields.publish(wish.serviceId, wish.token, rows)
  context.changed('services')
}

/** A list without options cannot be asked for. */
function isChoice({ input, options }: { readonly input: string | null; readonly options: readonly string[] | null }) {
  return (input === 'list' || input === 'multilist') && (options ?? []).length === 0
}

function rowOf(row: ManagedRequestField): AskedRow {
  const { id, slug, label, type, plugin } = row
  return {
    id,
    slug,
    label,
    type,
    oneTime: row.one_time,
    mandatoryProvide: row.mandatory_provide,
    mandatoryConnected: row.mandatory_connected,
    audience: row.audience,
    verified: row.verified,
    maxAgeDays: row.verified_max_age_days,
    plugin:
      plugin === null
        ? null
        : { pluginId: plugin.plugin_id ?? null, name: plugin.plugin_name, fieldType: plugin.field_type },
    flowName: row.flow_id === undefined ? null : (row.flow_name ?? ''),
    values: row.value_count ?? 0,
  }
}

function publishedOf(row: AskedRow): RequestFieldToPublish {
  const { id, slug, label, type, plugin } = row
  return {
    ...(id === null ? {} : { id }),
    ...(slug === '' ? {} : { slug }),
    label,
    type,
    one_time: row.oneTime,
    mandatory_provide: row.mandatoryProvide,
    mandatory_connected: row.mandatoryConnected,
    audience: row.audience,
    verified: row.verified,
    verified_max_age_days: row.maxAgeDays,
    ...(plugin === null ? {} : { plugin: pluginOf(plugin) }),
  }
}

function pluginOf({ pluginId, name, fieldType }: NonNullable<AskedRow['plugin']>) {
  const which = pluginId === null ? { plugin_name: name } : { plugin_id: pluginId }
  return { ...which, field_type: fieldType }
}
