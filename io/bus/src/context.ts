import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import type { Carrier } from './carrier/carrier.ts'
import type { Attachments } from './contracts.ts'
import type { Parties, Party } from './parties.ts'
import type { BusSwitches } from './switches.ts'

/** The part of the context that asking needs. */
export interface AskingContext {
  readonly self: Party
  readonly peers: readonly Party[]
  readonly telemetry: Telemetry
  readonly ids: Ids
  readonly attachments: Attachments | null
  /** Identifies this process among those of the same party. */
  readonly process: string
  /** How long an ask waits unless it or its contract says otherwise. */
  readonly askTimeoutMs: number
  carrierAt(region: Party): Carrier
}

/** The context of all parts of the bus. */
export interface BusContext extends AskingContext {
  readonly parties: Parties
  readonly database: Database
  readonly clock: Clock
  readonly switches: BusSwitches
}
