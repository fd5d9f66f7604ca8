import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { RegionOperations, RunningRegion } from '@sealpost/region'

/** The parts of a running region that fixtures use past its routes. */
export interface RegionInside {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly operations: RegionOperations
}

/** The only place in this folder that knows where a running region keeps its parts. */
export function insideOf({ platform, operations }: RunningRegion): RegionInside {
  const { database, clock, ids } = platform
  return { database, clock, ids, operations }
}
