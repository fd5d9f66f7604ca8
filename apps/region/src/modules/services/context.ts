import type { ConnectionId, RequestFieldId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { Platform } from '../../platform/module.ts'
import type { FlowRow, RequestRow, ServiceName } from './model.ts'

export interface ServicesContext extends Pick<Platform, 'database' | 'clock' | 'ids' | 'log' | 'jobs'> {
  readonly hooks: ServicesHooks
}

/** Calls to the modules above. Those with a `tx` run in the transaction of the change. */
export interface ServicesHooks extends ServiceJobSteps {
  /** Something that customers may know changed; `rev` was raised before. */
  readonly onFactsChanged: readonly ((tx: Tx, service: ServiceName) => Promise<void>)[]
  /** The service is no longer found; the job that follows ends its connections. */
  readonly onServiceDeleted: readonly ((tx: Tx, service: ServiceName) => Promise<void>)[]
  /** The last connection has ended; runs in the transaction that deletes the service's own rows. */
  readonly onServiceGone: readonly ((tx: Tx, service: ServiceName) => Promise<void>)[]
  readonly hasOpenContracts: (tx: Tx, service: ServiceName) => Promise<boolean>
  readonly countConnections: (read: Read, service: ServiceName) => Promise<number>
  /** How many customers have given a value, by request row; rows without one may be absent. */
  readonly countValues: (read: Read, service: ServiceName) => Promise<ReadonlyMap<RequestFieldId, number>>
  /** Whether there is a document or a run of the service. */
  readonly hasEvidence: (read: Read, service: ServiceName) => Promise<boolean>
  /** The fields of published flows that customers answer, for lists of request fields. */
  readonly listFlowRows: (read: Read, service: ServiceName) => Promise<readonly FlowRow[]>
  /** Ends the data client of a service, last in the transaction; answers the revision for `awaitGuards`. */
  endClients(tx: Tx, service: ServiceName): Promise<number | null>
  /** Whether this user's logins ask for a second factor. `companyId`: the company whose portal the user works in. */
  hasSecondFactor(companyId: UserId, userId: UserId): Promise<boolean>
}

/** The steps of a job. Each call is part of one transaction and changes at most `limit` connections. */
export interface ServiceJobSteps {
  /** Deletes the contents of these rows in the next connections after `after`; `after` null in the answer: finished. */
  deleteSlotsOfRows(
    tx: Tx,
    service: ServiceName,
    rows: readonly RequestRow[],
    after: ConnectionId | null,
    limit: number,
  ): Promise<{ readonly after: ConnectionId | null; readonly connections: number }>
  /** Answers how many it ended; 0: finished. */
  endConnections(tx: Tx, service: ServiceName, limit: number): Promise<number>
  /** Deletes documents, messages and runs, all or those that the company does not keep. */
  deleteContents(tx: Tx, service: ServiceName, step: ContentsStep, limit: number): Promise<ContentsDeleted>
  /** Withdraws connect requests that customers have not answered; answers how many. */
  endRequests(tx: Tx, service: ServiceName, limit: number): Promise<number>
}

export interface ContentsStep {
  /** As the last step answered it; null for the first. */
  readonly after: string | null
  /** Runs without their data, their documents, and all that was signed or accepted. */
  readonly keepsEvidence: boolean
}

export interface ContentsDeleted {
  readonly after: string | null
  readonly isDone: boolean
}
