import type { Bus } from '@sealpost/bus'
import type { Egress } from '@sealpost/egress'
import type { Clock, Ids, Random, RegionCode } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import type { Database } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import type { AccountDirectory } from './modules/account/index.ts'
import type { ConnectionsNeeds } from './modules/connections/index.ts'
import { digestHeader, type RegionSettings } from './settings.ts'

export interface ConnectionsCore {
  readonly settings: RegionSettings
  readonly region: RegionCode
  readonly database: Database
  readonly bus: Bus
  readonly objects: Objects
  readonly egress: Egress
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
  readonly directory: AccountDirectory
}

/** What both halves of the connections stand on. */
export function connectionsNeeds({ settings, telemetry, ...core }: ConnectionsCore): ConnectionsNeeds {
  return {
    ...core,
    log: telemetry.log,
    caps: { documentMaxMb: settings.DOCUMENT_MAX_MB, photoMaxMb: settings.PHOTO_MAX_MB },
    shareOnceDays: settings.SHARE_ONCE_DAYS,
    digestHeader: digestHeader(settings),
  }
}
