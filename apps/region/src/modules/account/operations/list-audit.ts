import { parseInstant, parseUuid, type ServiceId, type UserId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import type { PageQueryText } from '@sealpost/protocol'
import { invalidQuery, listPage } from '../../../platform/page.ts'
import type { AccountContext } from '../context.ts'
import { type AuditFilter, type AuditRow, countAudit, listAuditRows, type NamedEntry } from '../store/audit.ts'
import { findUserNames } from '../store/delegate-names.ts'
import { auditEntryToWire } from '../wire.ts'

export interface AuditQuery extends PageQueryText {
  readonly action?: string
  readonly actor?: string
  readonly service_id?: string
  readonly since?: string
}

const SEQUENCE = /^[1-9][0-9]{0,8}$/

/** Newest first; the id of an entry is its sequence number, which counts down. A filtered list has no counter. */
export async function listAudit(account: AccountContext, companyId: UserId, query: AuditQuery) {
  const { database } = account
  const filter = readFilter(query)
  const isFiltered = Object.values(filter).some((wanted) => wanted !== null)
  const list = {
    name: isFiltered ? `audit.${filterName(query)}` : 'audit',
    idOf: ({ seq }: NamedEntry) => String(seq),
    toWire: auditEntryToWire,
    readId: (text: string) => (SEQUENCE.test(text) ? text : null),
  }
  return listPage(
    list,
    query,
    ({ after, offset, limit }) =>
      database.read(async (read) => {
        const slice = { before: after === null ? null : Number(after), offset, limit }
        return nameActors(account, read, companyId, await listAuditRows(read, companyId, filter, slice))
      }),
    isFiltered ? undefined : () => database.read((read) => countAudit(read, companyId)),
  )
}

async function nameActors(
  { hooks }: AccountContext,
  read: Read,
  companyId: UserId,
  rows: readonly AuditRow[],
): Promise<readonly NamedEntry[]> {
  const actors = [...new Set(rows.map(({ actorId }) => actorId))]
  if (actors.length === 0) return []
  const users = await findUserNames(read, companyId, actors)
  const clients = await hooks.clientNames(read, companyId, actors)
  return rows.map((row) => ({ ...row, actorName: users.get(row.actorId) ?? clients.get(row.actorId) ?? null }))
}

/** Part of the cursor, which may not contain `~`. */
function filterName({ action = '', actor = '', service_id: serviceId = '', since = '' }: AuditQuery): string {
  return [action, actor, serviceId, since].map(encodeURIComponent).join('.').replaceAll('~', '%7E')
}

function readFilter({ action, actor, service_id: service, since }: AuditQuery): AuditFilter {
  const from = since === undefined ? null : parseInstant(since)
  if (since !== undefined && from === null) {
    throw invalidQuery('/since', 'must be a timestamp such as 2026-05-01T09:30:00Z')
  }
  const serviceId = service === undefined ? null : parseUuid<ServiceId>(service)
  if (service !== undefined && serviceId === null) throw invalidQuery('/service_id', 'must be the id of a service')
  return { action: action ?? null, actor: actor ?? null, serviceId, since: from }
}
