import type { Clock, Ids } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import type { ClientsDirectory } from './directory.ts'

export interface ClientsNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly directory: ClientsDirectory
  readonly log: Log
}
