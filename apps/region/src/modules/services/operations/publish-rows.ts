import { requestableTypes } from '@sealpost/field-types'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { lockAllPluginFacts, type NewUse, recordUses } from '../../plugins/index.ts'
import { loadRegistry } from '../../registry/index.ts'
import type { ServicesContext } from '../context.ts'
import type { Actor, RequestRow, ServiceName } from '../model.ts'
import { type GivenRow, namesPlugin, type Publishing, validatePublication } from '../rules/publish.ts'
import { invalidBody } from '../rules/refusals.ts'
import { listRequestRows, replaceRequestRows } from '../store/request-rows.ts'
import { lockService, raiseRev } from '../store/services.ts'
import { type ListedRows, tokenOfRows } from '../wire.ts'
import { removeRowsJob } from './jobs.ts'
import { recordChange } from './record-change.ts'

export interface Publication {
  readonly config_token: string
  readonly request_fields?: readonly GivenRow[]
  /** An older name of `request_fields`. */
  readonly fields?: readonly GivenRow[]
}

export async function readRows(
  { database, hooks }: Pick<ServicesContext, 'database' | 'hooks'>,
  service: ServiceName,
): Promise<ListedRows> {
  return database.read(async (read) => ({
    rows: await listRequestRows(read, service.companyId, service.serviceId),
    flowRows: await hooks.listFlowRows(read, service),
  }))
}

export type CountedRow = RequestRow & { readonly valueCount: number }

/** Each row with the number of customers who have given a value of it. */
export async function readCountedRows(
  { database, hooks }: Pick<ServicesContext, 'database' | 'hooks'>,
  service: ServiceName,
): Promise<ListedRows<CountedRow>> {
  return database.read(async (read) => {
    const rows = await listRequestRows(read, service.companyId, service.serviceId)
    const counts = await hooks.countValues(read, service)
    const counted = rows.map((row) => ({ ...row, valueCount: counts.get(row.id) ?? 0 }))
    return { rows: counted, flowRows: await hooks.listFlowRows(read, service) }
  })
}

/** The second of two concurrent publications is refused: its `config_token` is outdated. */
export async function publishRows(
  services: ServicesContext,
  actor: Actor & { readonly action: string },
  service: ServiceName,
  publication: Publication,
): Promise<ListedRows> {
  const given = publication.request_fields ?? publication.fields
  if (given === undefined) throw invalidBody('/request_fields', 'is required')
  return services.database.transaction(async (tx) => {
    if ((await lockService(tx, service.companyId, service.serviceId)) === null) throw refuse('services.not_found')
    const published = await listRequestRows(tx, service.companyId, service.serviceId)
    if (tokenOfRows(published) !== publication.config_token) throw refuse('services.config_conflict')
    const validated = validatePublication(given, {
      published,
      requestable: requestableTypes(await loadRegistry(tx)),
      newId: () => services.ids.uuid(),
      plugins: given.some(namesPlugin) ? await lockAllPluginFacts(tx, service.companyId) : new Map(),
    })
    if (!validated.ok) throw refuse(validated.refusal.key, undefined, { sentence: validated.refusal.reason })
    const { rows } = validated.value
    if (tokenOfRows(rows) !== tokenOfRows(published)) await replaceRows(services, tx, actor, service, validated.value)
    return { rows, flowRows: await services.hooks.listFlowRows(tx, service) }
  })
}

async function replaceRows(
  services: ServicesContext,
  tx: Tx,
  actor: Actor & { readonly action: string },
  service: ServiceName,
  { rows, removed }: Publishing,
): Promise<void> {
  await replaceRequestRows(tx, service, rows)
  await recordUses(tx, usersOf(service), usesOf(rows))
  await raiseRev(tx, service, services.clock.now())
  const connections = removed.length === 0 ? 0 : await services.hooks.countConnections(tx, service)
  if (connections > 0) {
    const { companyId: tenantId, serviceId: key } = service
    const payload = { ...service, rows: removed }
    await services.jobs.enqueue(tx, removeRowsJob, { payload, tenantId, key, total: connections })
  }
  await recordChange(services, tx, actor, service.serviceId, {
    action: actor.action,
    message: 'Request fields were published',
    metadata: { slugs: rows.map(({ slug }) => slug), removed: removed.map(({ slug }) => slug) },
  })
  for (const hook of services.hooks.onFactsChanged) await hook(tx, service)
}

function usersOf({ companyId, serviceId }: ServiceName) {
  return { companyId, kind: 'request_field', ownerId: serviceId, id: null } as const
}

function usesOf(rows: readonly RequestRow[]): readonly NewUse[] {
  return rows.flatMap(({ id, label, plugin }) =>
    plugin === null ? [] : [{ pluginId: plugin.plugin_id, id, name: label }],
  )
}
