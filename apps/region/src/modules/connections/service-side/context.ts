import type { BoundedCache, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { ServiceFacts } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { AccountDirectory } from '../../account/index.ts'
import type { NewEvent } from '../../feed/index.ts'
import type { ServiceName, ServicesContext } from '../../services/index.ts'
import type {
  ConnectionName,
  EndedConnection,
  KnownRows,
  NewRequest,
  RecordName,
  RecordRow,
  RequestTexts,
  StoredConnection,
} from './model.ts'

export interface ServiceSideContext extends Platform {
  readonly services: ServicesContext
  readonly messages: ServiceMessages
  readonly hooks: ServiceSideHooks
  readonly directory: Pick<AccountDirectory, 'findByShareCode'>
  /** The account keys of the companies among these that the account is a customer of; the customer side knows them. */
  readonly listCompanyKeys: (
    read: Read,
    accountId: UserId,
    companies: readonly UserId[],
  ) => Promise<ReadonlyMap<UserId, string>>
  readonly rows: RowCache
  readonly codes: CodeCache
  /** Reads one connection; see [Note: batches]. */
  readonly findRecord: (name: RecordName) => Promise<RecordRow | null>
}

/** Calls to the modules above, in the transaction of the change. */
export interface ServiceSideHooks {
  /** Answers the events of what ends with the connection; they are appended with its own. */
  onEnded(tx: Tx, ended: EndedConnection): Promise<readonly NewEvent[]>
  /** The keys of users among these that are bound in runs of the service, or take part in a run with the account. */
  listRunKeys(read: Read, of: RunKeyOwner, users: readonly UserId[]): Promise<ReadonlyMap<UserId, string>>
  /** The service has its first customer in the region of this one. */
  onFirstCustomer(tx: Tx, connection: StoredConnection): Promise<void>
}

export type RunKeyOwner = { readonly serviceId: ServiceId } | { readonly accountId: UserId }

/** The asks and tells that this side sends; `bus/service.ts` implements it. */
export interface ServiceMessages {
  tellOpened(tx: Tx, region: string, connection: ConnectionName, connectedAt: Instant): Promise<void>
  tellEnded(tx: Tx, region: string, connection: ConnectionName, by: 'customer' | 'service'): Promise<void>
  tellFacts(tx: Tx, region: string, facts: ServiceFacts): Promise<void>
  tellServiceEnded(tx: Tx, region: string, service: ServiceName): Promise<void>
  tellRequested(tx: Tx, request: NewRequest, texts: RequestTexts): Promise<void>
  tellRequestClosed(tx: Tx, request: Pick<NewRequest, 'id' | 'customerId' | 'customerRegion'>): Promise<void>
  /** Null when the company has no such service. */
  askForFacts(region: string, companyId: UserId, code: string): Promise<ServiceFacts | null>
}

/**
 * The request rows of services by revision. Every read of connections brings the current revision, so each process sees a
 * removed row as gone from its first read after the removal.
 */
export type RowCache = BoundedCache<ServiceId, KnownRows>

/**
 * Answers of the directory and of other regions about codes. A key is never replaced, but an account or a service may
 * end, so entries expire. A missing one is not cached: it may be created at any time.
 */
export type CodeCache = BoundedCache<string, object>
