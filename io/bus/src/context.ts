import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import type { Carrier } from './carrier/carrier.ts'
import type { Attachments } from './contracts.ts'
import type { Parties, Party } from './parties.ts'
import type { BusSwitches } from './switches.ts'

/** The context of all parts of the bus. */
export interface BusContext {
  readonly self: Party
  readonly parties: Parties
  readonly peers: readonly Party[]
  readonly database: Database
  readonly telemetry: Telemetry
  readonly clock: Clock
  readonly ids: Ids
  readonly attachments: Attachments | null
  readonly switches: BusSwitches
  /** Identifies this process among those of the same party. */
  readonly process: string
  /** How long an ask waits unless it or its contract says otherwise. */
  readonly askTimeoutMs: number
  carrierAt(region: Party): Carrier
}
