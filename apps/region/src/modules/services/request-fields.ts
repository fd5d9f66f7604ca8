import { requestableTypes } from '@sealpost/field-types'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { loadRegistry } from '../registry/index.ts'
import { type Actor, recordAct } from './acting.ts'
import { configToken } from './config-token.ts'
import type { ServicesNeeds } from './needs.ts'
import { invalidBody } from './paging.ts'
import { type GivenRow, judgePublication, type Publishing } from './rules/publish.ts'
import type { Audience, RequestRow, ServiceName } from './service.ts'
import { insertJob } from './store/jobs.ts'
import { listRequestRows, replaceRequestRows } from './store/request-rows.ts'
import { lockService, raiseRev } from './store/services.ts'

export interface Publication {
  readonly config_token: string
  readonly request_fields?: readonly GivenRow[]
  /** An older name of `request_fields`. */
  readonly fields?: readonly GivenRow[]
}

export async function readRows(
  { database }: Pick<ServicesNeeds, 'database'>,
  { companyId, serviceId }: ServiceName,
): Promise<readonly RequestRow[]> {
  return database.read((read) => listRequestRows(read, companyId, serviceId))
}

/** Of two that cross, the second finds that what it has seen is no longer true. */
export async function publishRows(
  needs: ServicesNeeds,
  actor: Actor & { readonly action: string },
  service: ServiceName,
  publication: Publication,
): Promise<readonly RequestRow[]> {
  const given = publication.request_fields ?? publication.fields
  if (given === undefined) throw refuse('request.invalid', invalidBody('/request_fields', 'is required'))
  return needs.database.transaction(async (tx) => {
    if ((await lockService(tx, service.companyId, service.serviceId)) === null) throw refuse('services.not_found')
    const published = await listRequestRows(tx, service.companyId, service.serviceId)
    if (tokenOf(published) !== publication.config_token) throw refuse('services.config_conflict')
    const judged = judgePublication(given, {
      published,
      requestable: requestableTypes(await loadRegistry(tx)),
      newId: () => needs.ids.uuid(),
    })
    if (!judged.ok) throw refuse(judged.refusal.key, undefined, { sentence: judged.refusal.reason })
    const { rows } = judged.value
    if (tokenOf(rows) !== tokenOf(published)) await apply(needs, tx, actor, service, judged.value)
    return rows
  })
}

async function apply(
  needs: ServicesNeeds,
  tx: Tx,
  actor: Actor & { readonly action: string },
  service: ServiceName,
  { rows, removed }: Publishing,
): Promise<void> {
  await replaceRequestRows(tx, service, rows)
  await raiseRev(tx, service, needs.clock.now())
  const connections = removed.length === 0 ? 0 : await needs.hooks.countConnections(tx, service)
  if (connections > 0) {
    const start = { cursor: null, done: 0, total: connections, attempts: 0 }
    const job = { ...service, id: needs.ids.uuid(), kind: 'remove_rows', rows: removed, ...start } as const
    await insertJob(tx, job, needs.clock.now())
  }
  await recordAct(tx, needs, actor, service.serviceId, {
    action: actor.action,
    message: 'Request fields were published',
    metadata: { slugs: rows.map(({ slug }) => slug), removed: removed.map(({ slug }) => slug) },
  })
  for (const hook of needs.hooks.onFactsChanged) await hook(tx, service)
}

function tokenOf(rows: readonly RequestRow[]): string {
  return configToken(rows.map((row) => [...membersOf(row)]))
}

/** In an order of its own: the token must not depend on where a row came from. */
function membersOf(row: RequestRow): readonly unknown[] {
  const mandatory = [row.mandatoryProvide, row.mandatoryConnected]
  const verified = [row.verified, row.verifiedMaxAgeDays]
  return [row.id, row.slug, row.label, row.type, row.oneTime, mandatory, row.audience, verified, row.plugin]
}

export interface RowShown {
  readonly id: string
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly one_time: boolean
  readonly mandatory: boolean
  readonly mandatory_provide: boolean
  readonly mandatory_connected: boolean
  readonly verified: boolean
  readonly verified_max_age_days: number | null
  readonly plugin: Readonly<Record<string, unknown>> | null
}

/** For the service's own backend, which is not told the audience. */
export function showRows(rows: readonly RequestRow[]): { request_fields: RowShown[]; config_token: string } {
  return { request_fields: rows.map(showRow), config_token: tokenOf(rows) }
}

export function showRowsWithAudience(rows: readonly RequestRow[]): {
  request_fields: (RowShown & { readonly audience: Audience })[]
  config_token: string
} {
  const shown = rows.map((row) => ({ ...showRow(row), audience: row.audience }))
  return { request_fields: shown, config_token: tokenOf(rows) }
}

function showRow(row: RequestRow): RowShown {
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: row.type,
    one_time: row.oneTime,
    mandatory: row.mandatoryProvide || row.mandatoryConnected,
    mandatory_provide: row.mandatoryProvide,
    mandatory_connected: row.mandatoryConnected,
    verified: row.verified,
    verified_max_age_days: row.verifiedMaxAgeDays,
    plugin: row.plugin,
  }
}
