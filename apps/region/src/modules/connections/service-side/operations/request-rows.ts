import { createBoundedCache } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { findService, listRequestRows, type ServiceName } from '../../../services/index.ts'
import type { RowCache } from '../context.ts'
import type { KnownRows } from '../model.ts'
import { arrangeRows } from '../rules/rows.ts'

export function createRowCache(): RowCache {
  return createBoundedCache({ most: 1000 })
}

/** At `rev` or later. */
export async function readRowsAt(read: Read, cache: RowCache, name: ServiceName, rev: number): Promise<KnownRows> {
  const known = cachedRowsAt(cache, name, rev)
  if (known !== null) return known
  const fresh = await loadRows(read, name)
  cache.set(name.serviceId, fresh)
  return fresh
}

/** Null when they have to be read. */
export function cachedRowsAt(cache: RowCache, { serviceId }: ServiceName, rev: number): KnownRows | null {
  const known = cache.get(serviceId)
  return known !== undefined && known.rev >= rev ? known : null
}

/** Rows and revision are two statements, so the revision is read before and after the rows until both agree. */
async function loadRows(read: Read, { companyId, serviceId }: ServiceName): Promise<KnownRows> {
  for (let before = await findRev(read, { companyId, serviceId }); ;) {
    const rows = await listRequestRows(read, companyId, serviceId)
    const after = await findRev(read, { companyId, serviceId })
    if (before === after) return arrangeRows(rows, after)
    before = after
  }
}

/** 0 for a service that is being deleted. */
async function findRev(read: Read, { companyId, serviceId }: ServiceName): Promise<number> {
  return (await findService(read, companyId, serviceId))?.rev ?? 0
}
