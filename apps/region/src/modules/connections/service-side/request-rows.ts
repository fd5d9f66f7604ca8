import type { RequestFieldId, ServiceId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { findService, listRequestRows, type RequestRow, type ServiceName } from '../../services/index.ts'
import type { CustomerType } from './connection.ts'
import { isAsked } from './rules/audience.ts'

/** The request rows of a service at one revision, ready to be looked up. */
export interface KnownRows {
  readonly rev: number
  readonly all: readonly RequestRow[]
  readonly byId: ReadonlyMap<RequestFieldId, RequestRow>
  readonly asked: Readonly<Record<CustomerType, readonly RequestRow[]>>
}

/**
 * The rows of the services that a process has read for, by revision. Every read brings the present revision along, so a
 * row that was removed is known to be gone with the first read after its removal, in every process.
 */
export type RowCache = Map<ServiceId, KnownRows>

const REMEMBERED = 1000

/** At `rev` or later: what was published meanwhile may be used already. */
export async function rowsAt(read: Read, cache: RowCache, name: ServiceName, rev: number): Promise<KnownRows> {
  const known = knownAt(cache, name, rev)
  if (known !== null) return known
  const fresh = await loadRows(read, name)
  cache.delete(name.serviceId)
  cache.set(name.serviceId, fresh)
  // A map keeps the order of insertion: the first is the one that was read the longest time ago.
  for (const oldest of cache.keys()) {
    if (cache.size <= REMEMBERED) break
    cache.delete(oldest)
  }
  return fresh
}

/** Null when they have to be read. */
export function knownAt(cache: RowCache, { serviceId }: ServiceName, rev: number): KnownRows | null {
  const known = cache.get(serviceId)
  return known !== undefined && known.rev >= rev ? known : null
}

/** Rows and revision are two reads, so the revision is asked before and after. */
async function loadRows(read: Read, { companyId, serviceId }: ServiceName): Promise<KnownRows> {
  for (let before = await findRev(read, { companyId, serviceId }); ;) {
    const rows = await listRequestRows(read, companyId, serviceId)
    const after = await findRev(read, { companyId, serviceId })
    if (before === after) return arrange(rows, after)
    before = after
  }
}

/** 0 for a service that is being deleted: nobody reads for it any more. */
async function findRev(read: Read, { companyId, serviceId }: ServiceName): Promise<number> {
  return (await findService(read, companyId, serviceId))?.rev ?? 0
}

export function arrange(all: readonly RequestRow[], rev: number): KnownRows {
  return {
    rev,
    all,
    byId: new Map(all.map((row) => [row.id, row])),
    asked: {
      person: all.filter((row) => isAsked(row, 'person')),
      company: all.filter((row) => isAsked(row, 'company')),
    },
  }
}
