import type { Attachment } from '@sealpost/bus'
import type { ConnectionId, ServiceId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { AnyChange, DeviceAssertion, HintKind, RecordDocument, ServiceFacts, TurnPass } from '@sealpost/protocol'
import type { Platform } from '../../../platform/module.ts'
import type { AccountDirectory } from '../../account/index.ts'
import type {
  Connection,
  ConnectReply,
  Customer,
  GoneCustomer,
  OfferedFile,
  OfferedPhoto,
  Opening,
  RejectedRequest,
  RenamedCustomer,
  ServiceAddress,
  ServiceSelector,
} from './model.ts'

/** The second factor of a person's login; the login module knows it. */
export interface SecondFactorCheck {
  /** Whether the session was opened with a one-time code. */
  ofSession(userId: UserId, sessionId: string): Promise<boolean>
  /** Whether a device of the person signed the challenge; using it up. */
  byDevice(userId: UserId, approval: DeviceApproval): Promise<boolean>
}

export interface DeviceApproval {
  readonly challenge: string
  readonly assertion: DeviceAssertion
}

export interface CustomerContext extends Platform {
  readonly secondFactor: SecondFactorCheck
  readonly directory: Pick<AccountDirectory, 'findByShareCode'>
  readonly messages: CustomerMessages
  readonly hooks: CustomerHooks
}

/** An own connection that ends in the current transaction, as the modules above need it. */
export type EndedOwnConnection = Pick<Connection, 'id' | 'serviceId' | 'companyRegion' | 'connectedAt'>

/** Calls to the modules above. Those with a `tx` run in the transaction of the change. */
export interface CustomerHooks {
  onEnded(tx: Tx, accountId: UserId, connections: readonly EndedOwnConnection[]): Promise<void>
  /** The service has ended; its connections follow. */
  onServiceEnded(tx: Tx, serviceId: ServiceId): Promise<void>
  /** The documents of these connections, newest first. When they are large, the last connections are left out. */
  listDocuments(
    read: Read,
    accountId: UserId,
    connections: readonly Pick<Connection, 'id' | 'serviceId'>[],
  ): Promise<ReadonlyMap<ConnectionId, RecordDocuments>>
  /** Last in the transaction; for persons only. */
  hint(tx: Tx, changes: readonly PersonHint[]): Promise<void>
}

export interface RecordDocuments {
  readonly documents: readonly RecordDocument[]
  /** Also those that are not listed. */
  readonly total: number
}

export interface PersonHint {
  readonly accountId: UserId
  readonly kind: HintKind
  readonly id: string
}

/** The asks and tells that this side sends; `bus/customer.ts` implements it. An ask throws while the other region is away. */
export interface CustomerMessages {
  /** Null when the company has no such service. */
  askForFacts(
    company: { readonly companyId: UserId; readonly region: string },
    service: ServiceSelector,
  ): Promise<ServiceFacts | null>
  /** Null when the service asks such customers for no such row, or no plugin answers it. */
  askForPass(
    service: ServiceAddress,
    row: { readonly slug: string; readonly customerType: Customer['userType'] },
  ): Promise<TurnPass | null>
  /** Answers the name of the copy; null when the service took none. */
  askToTakeFile(service: ServiceAddress, file: OfferedFile): Promise<string | null>
  askToConnect(service: ServiceAddress, opening: Opening): Promise<ConnectReply>
  askToEnd(connection: Connection): Promise<'ended' | 'gone' | 'active_contract'>
  /** Null when the card shows no such photo. */
  askForCardPhoto(service: ServiceAddress, photoId: string): Promise<OfferedPhoto | null>
  /** Ordered by the connection. A change that sets a file is told alone, with the file as attachment. */
  tellSlots(tx: Tx, connection: Connection, changes: AnyChange[], attachment?: Attachment): Promise<void>
  tellGone(tx: Tx, gone: GoneCustomer): Promise<void>
  tellRenamed(tx: Tx, to: string, renamed: RenamedCustomer): Promise<void>
  tellRejected(tx: Tx, rejected: RejectedRequest): Promise<void>
}
