import type { Lane } from '@sealpost/field-types'
import type { ConnectionId, FieldId, Instant, RequestFieldId, Secret, ServiceId, UserId } from '@sealpost/kernel'
import type { CustomerFacts, DecisionKind, ServiceFacts, SlotAnswer, SlotFile } from '@sealpost/protocol'
import type { UserType } from '../../account/index.ts'
import type { StagedFile } from '../../vault/index.ts'

/** A person, or a company that is a customer of other companies. */
export interface Customer {
  readonly accountId: UserId
  readonly userType: UserType
}

export interface ServiceAddress {
  readonly companyId: UserId
  readonly companyRegion: string
  readonly serviceId: ServiceId
}

export interface Connection extends Customer, ServiceAddress {
  readonly id: ConnectionId
  /** Only an `open` connection is visible in answers. */
  readonly state: 'opening' | 'open'
  readonly companyPublicKey: string | null
  readonly servicePublicKey: string
  readonly displayName: string
  readonly openedBy: string | null
  readonly requestId: string | null
  /** A note of the customer's device to the account's other devices; opaque here. */
  readonly deviceRecord: string | null
  /** The last number given to a change of one of its slots. */
  readonly rev: number
  readonly createdAt: Instant
  readonly connectedAt: Instant | null
}

export type OpenConnection = Connection & { readonly connectedAt: Instant }

/** The owner is always part of the name. */
export type ConnectionName = Pick<Connection, 'accountId' | 'id'>

/** The customer's decision about a request row. */
export type Mapping = Answered | Declined

export interface Answered extends DecidedRow {
  readonly state: 'answered'
  readonly kind: DecisionKind
  readonly live: boolean
  /** Never leaves this region. */
  readonly sourceFieldId: FieldId | null
  /** Of the decision of a consent, as it was sent; null for another answer. */
  readonly decisionSha256: string | null
}

export interface Declined extends DecidedRow {
  readonly state: 'declined'
}

interface DecidedRow {
  readonly requestFieldId: RequestFieldId
  readonly rev: number
  readonly providedAt: Instant
}

/** A slot that follows a field: only of open connections, and only for rows that the service still asks for. */
export interface FollowingSlot {
  readonly connectionId: ConnectionId
  readonly requestFieldId: RequestFieldId
  readonly slug: string
  readonly lane: Lane
}

/** A field that an answer of a flow follows. */
export interface FlowLink {
  readonly connectionId: ConnectionId
  readonly flowId: string
  readonly slug: string
  readonly rev: number
  /** The type of the flow's field. */
  readonly type: string
  readonly lane: Lane
  /** Never leaves this region. */
  readonly sourceFieldId: FieldId
  /** False until the turn with the answer is confirmed. */
  readonly isOpen: boolean
  readonly isStale: boolean
  readonly linkedAt: Instant
}

export type FollowingLink = Pick<FlowLink, 'connectionId' | 'flowId' | 'slug' | 'lane' | 'type'>

/** This region's copy of the facts of a service. */
export interface ServiceCard extends ServiceAddress {
  readonly rev: number
  readonly facts: ServiceFacts
  readonly rowsAt: Instant
  readonly isEnded: boolean
}

/** An open connection with its card and mappings. */
export interface CardedConnection {
  readonly connection: OpenConnection
  readonly card: ServiceCard
}

export interface KnownConnection extends CardedConnection {
  readonly mappings: readonly Mapping[]
}

/** A service asks a person to connect. */
export interface ConnectRequest extends ServiceAddress {
  readonly accountId: UserId
  readonly id: string
  readonly companyName: string
  readonly companyCode: string | null
  readonly serviceName: string
  readonly serviceCode: string
  readonly message: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** A change of a service that its connections here have not been given yet. */
export interface FanOut {
  readonly serviceId: ServiceId
  readonly kind: 'facts' | 'end'
  readonly isCardChanged: boolean
  readonly newRows: readonly RequestFieldId[]
  readonly goneRows: readonly RequestFieldId[]
}

/** A file stored here with exactly the bytes that the service will serve. It is garbage until a transaction keeps it. */
export interface MadeFile extends StagedFile {
  readonly form: SlotFile['form']
  readonly contentType: string
}

/** A service as its own region answered it just now. */
export interface FoundService extends ServiceAddress {
  readonly companyPublicKey: string | null
  readonly facts: ServiceFacts
}

export type ServiceSelector = { readonly code: string } | { readonly serviceId: string }

export interface OfferedFile {
  readonly url: Secret<string>
  readonly sha256: string
  readonly bytes: number
}

export interface OfferedPhoto extends OfferedFile {
  readonly contentType: string
}

/** The ask to connect. */
export interface Opening {
  readonly connectionId: ConnectionId
  readonly customer: CustomerFacts
  readonly answers: SlotAnswer[]
  /** Request row id -> the copy that `askToTakeFile` answered. */
  readonly files: Record<string, string>
  readonly requestId: string | null
}

/** The service's answer to the ask to connect. */
export type ConnectReply =
  | { readonly outcome: 'connected'; readonly connectedAt: Instant; readonly facts: ServiceFacts }
  | {
      readonly outcome: 'exists'
      readonly connectionId: ConnectionId
      readonly connectedAt: Instant
      readonly facts: ServiceFacts
    }
  | { readonly outcome: 'no_service' | 'audience' | 'no_request' }
  | { readonly outcome: 'mandatory_missing'; readonly slugs: string[] }
  | { readonly outcome: 'invalid'; readonly details: { path: string; message: string }[] }

export interface GoneCustomer extends ServiceAddress {
  readonly accountId: UserId
  readonly connectionId: ConnectionId
  readonly isErased: boolean
}

export interface RenamedCustomer {
  readonly accountId: UserId
  readonly displayName: string
  readonly rev: number
}

export interface RejectedRequest extends ServiceAddress {
  readonly accountId: UserId
  readonly requestId: string
  readonly at: Instant
}
