import type { Clock, ConnectionId, Ids, UserId } from '@sealpost/kernel'
import type { Database, Read, Tx } from '@sealpost/postgres'
import type { Log } from '@sealpost/telemetry'
import type { RequestRow, ServiceName } from './service.ts'

/** What the modules above do when a service changes; `core.ts` hands them in. */
export interface ServiceHooks {
  /** Something that customers may know has changed; `rev` has risen already. */
  readonly onFactsChanged: readonly ((tx: Tx, service: ServiceName) => Promise<void>)[]
  /** At the moment of deletion: nobody finds the service any more, its connections are ended by the job that follows. */
  readonly onServiceDeleted: readonly ((tx: Tx, service: ServiceName) => Promise<void>)[]
  /** When the job is over and the last connection has ended, in the transaction that removes the service's own rows. */
  readonly onServiceGone: readonly ((tx: Tx, service: ServiceName) => Promise<void>)[]
  readonly hasOpenContracts: (tx: Tx, service: ServiceName) => Promise<boolean>
  readonly countConnections: (read: Read, service: ServiceName) => Promise<number>
}

/** What a job does to connections. Each call is part of one transaction and touches at most `limit` of them. */
export interface ServiceJobSteps {
  /** Drops what the next connections after `after` hold for these rows; `after` null in the answer: finished. */
  dropRows(
    tx: Tx,
    service: ServiceName,
    rows: readonly RequestRow[],
    after: ConnectionId | null,
    limit: number,
  ): Promise<{ readonly after: ConnectionId | null; readonly connections: number }>
  /** Answers how many it ended; 0: finished. */
  endConnections(tx: Tx, service: ServiceName, limit: number): Promise<number>
  /** Takes back what the service asked of people who have not answered; answers how many it were. */
  endRequests(tx: Tx, service: ServiceName, limit: number): Promise<number>
}

export interface ServicesNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly hooks: ServiceHooks
  readonly steps: ServiceJobSteps
  /** Ends the data client of a service, last in the transaction; answers the change that all processes must have seen. */
  readonly endClients: (tx: Tx, service: ServiceName) => Promise<number | null>
  /** Resolves when every process of the region decides by that change. */
  readonly settle: (revision: number) => Promise<void>
  /** Whether this user's logins ask for a second factor. `companyId`: whose portal the user works in. */
  readonly hasSecondFactor: (companyId: UserId, userId: UserId) => Promise<boolean>
}
