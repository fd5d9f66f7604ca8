import type { RegionCode } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { RegionAddress } from '@sealpost/protocol'
import { listRegionsOutOfOrder } from '../directory/index.ts'

export interface ListedRegion {
  readonly code: RegionCode
  readonly name: string
  readonly api_url: string
  readonly status: 'ok' | 'out_of_order'
}

export async function describeRegions(
  database: Database,
  regions: readonly RegionAddress[],
): Promise<{ total: number; items: ListedRegion[] }> {
  const outOfOrder = await database.read(listRegionsOutOfOrder)
  const items = regions.map(({ code, name, apiUrl }) => {
    const status = outOfOrder.includes(code) ? ('out_of_order' as const) : ('ok' as const)
    return { code, name, api_url: apiUrl, status }
  })
  return { total: items.length, items }
}
