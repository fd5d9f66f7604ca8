import type { Instant, ServiceId } from '@sealpost/kernel'
import { type Read, runStatement } from '@sealpost/postgres'

/** The number before the first event since then; null when there is none. */
export async function findNumberBefore(read: Read, serviceId: ServiceId, since: Instant): Promise<number | null> {
  const [row] = await runStatement<{ no: number | null }>(
    read,
    'select min(no) - 1 as no from feed.event where owner_id = $1 and at >= to_timestamp($2 / 1000.0)',
    [serviceId, since],
  )
  return row?.no ?? null
}
