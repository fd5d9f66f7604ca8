import type { Pdf } from '@sealpost/pdf'
import type { Tx } from '@sealpost/postgres'
import type { BroadcastFacts, DocumentContent, DocumentState } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { StoredConnection } from '../../connections/index.ts'
import type { NewEvent } from '../../feed/index.ts'
import type { ServiceName, ServicesContext } from '../../services/index.ts'
import type { CustomerDocument, DocumentId, Recipient, RunCopy, RunName, StoredObject } from './model.ts'

export interface ServiceSideContext extends Platform {
  readonly services: ServicesContext
  readonly messages: ServiceMessages
  readonly runs: RunHooks
  /** Null where no certificate is configured: then no file contract can be completed. */
  readonly sealer: Sealer | null
}

/** Calls to the module of runs, in the transaction of a change of one of their copies. */
export interface RunHooks {
  /** Locks the connections of a run in the order of ids, then the run: before its copies. Null for an unknown run. */
  lock(tx: Tx, name: RunName): Promise<LockedRun | null>
  /** A step of the line is done: `opened` is the copy of the next one, null after the last. Answers the events. */
  moveLine(tx: Tx, name: RunName, opened: RunCopy | null): Promise<readonly NewEvent[]>
  /** Cancels an open run, whose open copies end. Answers the events of both. */
  cancel(
    tx: Tx,
    name: RunName,
    /** `by`: the key of a party; null for the company. */
    cause: { readonly by: string | null; readonly reason: string | null },
  ): Promise<readonly NewEvent[]>
}

export interface LockedRun {
  readonly isOpen: boolean
  /** Those of its customers that have not ended. */
  readonly connections: readonly StoredConnection[]
  /** The customer whom events about the copies of the company name. */
  readonly primary: Recipient
}

/** The asks and tells that this side sends; `bus/service.ts` implements it. */
export interface ServiceMessages {
  /** Ordered by the connection. `file`: the content, when it is not in the body. */
  tellCopy(
    tx: Tx,
    document: CustomerDocument,
    state: DocumentState,
    content: DocumentContent | null,
    file: StoredObject | null,
  ): Promise<void>
  tellDeleted(tx: Tx, document: CustomerDocument): Promise<void>
  tellBroadcast(tx: Tx, region: string, service: ServiceName, broadcast: BroadcastFacts): Promise<void>
  tellBroadcastDeleted(tx: Tx, region: string, service: ServiceName, id: DocumentId): Promise<void>
  tellBroadcastsReset(tx: Tx, region: string, service: ServiceName): Promise<void>
}

/** Appends the page of signatures to a PDF and signs the whole with the certificate of the platform. */
export type Sealer = Pick<Pdf, 'seal'>
