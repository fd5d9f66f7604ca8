import type { Egress } from '@sealpost/egress'
import type { FileCaps } from '@sealpost/field-types'
import type { Clock, Ids, Random, RegionCode } from '@sealpost/kernel'
import type { Objects } from '@sealpost/objects'
import type { Database } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import type { AccountDirectory } from '../../account/index.ts'
import type { CustomerWire } from './wire.ts'

export interface CustomerNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly random: Random
  readonly region: RegionCode
  readonly objects: Objects
  readonly egress: Egress
  readonly directory: Pick<AccountDirectory, 'findByShareCode'>
  readonly wire: CustomerWire
  readonly caps: FileCaps
  /** `X-Platform-Content-Sha256`, or as the installation calls it. */
  readonly digestHeader: string
  readonly log: Log
}
