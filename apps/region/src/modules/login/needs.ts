import type { Bus } from '@sealpost/bus'
import type { Clock, Ids, Keyring, Random, RegionCode, UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'
import type { Telemetry } from '@sealpost/telemetry'
import type { AccountDirectory } from '../account/index.ts'
import type { MailNeeds } from '../mail/index.ts'

/** What the operations of this module stand on. */
export interface LoginNeeds {
  readonly region: RegionCode
  readonly database: Database
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly telemetry: Telemetry
  /** Credentials and codes rest under it. */
  readonly pepper: Keyring
  readonly mail: MailNeeds
  readonly directory: AccountDirectory
  /** Ends what the user has granted to clients; what it answers is called after the commit and sees the ends through. */
  endGrants(tx: Tx, userId: UserId): Promise<() => Promise<void>>
  /** How long a session lasts without being used, and how long at most. */
  readonly refreshTtlDays: number
  readonly refreshMaxDays: number
}
