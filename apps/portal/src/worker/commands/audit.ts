import type { AccountClient, AuditFilter, AuditRecord } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { allOf } from '../all-of.ts'
import type { PortalContext } from '../context.ts'

export interface AuditView {
  readonly id: string
  /** As the platform names it; the page has the words. */
  readonly action: string
  readonly actorId: string
  /** Null for a deleted one. */
  readonly actorName: string | null
  /** The platform itself. */
  readonly isPlatform: boolean
  readonly serviceId: string | null
  /** Null for the account as a whole, and for a deleted service. */
  readonly serviceName: string | null
  readonly at: string
}

/** The newest entries, at most so many; no total is counted. */
export async function listAudit(
  context: PortalContext,
  filter: AuditFilter,
  most: number,
): Promise<{ readonly entries: readonly AuditView[]; readonly hasMore: boolean }> {
  const { company } = requireOpen(context).client
  const [names, found] = await Promise.all([serviceNames(company), firstOf(company.audit(filter), most + 1)])
  const entries = found.slice(0, most).map((entry) => viewOf(entry, names))
  return { entries, hasMore: found.length > most }
}

async function serviceNames(company: AccountClient): Promise<ReadonlyMap<string, string>> {
  const services = await allOf(company.services.list())
  return new Map(services.map(({ id, name }) => [id, name]))
}

async function firstOf<Row>(rows: AsyncIterable<Row>, most: number): Promise<readonly Row[]> {
  const first: Row[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === most) break
  }
  return first
}

function viewOf(entry: AuditRecord, names: ReadonlyMap<string, string>): AuditView {
  const { id, action, actor_id: actorId, actor_name: actorName, service_id: serviceId, at } = entry
  const serviceName = serviceId === null ? null : (names.get(serviceId) ?? null)
  return { id, action, actorId, actorName, isPlatform: actorId === 'operator', serviceId, serviceName, at }
}
