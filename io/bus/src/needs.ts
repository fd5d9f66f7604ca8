import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import type { Carrier } from './carrier/carrier.ts'
import type { Attachments } from './contracts.ts'
import type { Parties, Party } from './parties.ts'
import type { BusSwitches } from './switches.ts'

/** What every part of the bus works with. */
export interface BusNeeds {
  readonly self: Party
  readonly parties: Parties
  readonly peers: readonly Party[]
  readonly database: Database
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly ids: Ids
  readonly attachments: Attachments | null
  readonly switches: BusSwitches
  /** Names this process among all that work for the same party. */
  readonly process: string
  carrierAt(region: Party): Carrier
}
