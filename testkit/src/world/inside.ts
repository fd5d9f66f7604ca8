import type { Clock, Ids, Keyring } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { RegionOperations, RunningRegion } from '@sealpost/region'

/** The parts of a running region that fixtures use past its routes. */
export interface RegionInside {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly operations: RegionOperations
  /** Seals password hashes. */
  readonly pepper: Keyring
}

/** The only place in this folder that knows where a running region keeps its parts. */
export function insideOf({ platform, operations }: RunningRegion): RegionInside {
  const { database, clock, ids, settings } = platform
  return { database, clock, ids, operations, pepper: settings.SECRET_PEPPER }
}
