import type { Brand, ConnectionId, Instant, RequestFieldId, ServiceId, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { Attested, SlotFile } from '@sealpost/protocol'
import type { RequestRow } from '../../services/index.ts'

export type CustomerType = 'person' | 'company'

/** Both sides use the same connection id. */
export interface ConnectionName {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly id: ConnectionId
  readonly customerId: UserId
}

/** A row of `connection`, without its slots. */
export interface StoredConnection extends ConnectionName {
  readonly customerRegion: string
  readonly customerType: CustomerType
  readonly shareCode: string
  readonly displayName: string
  /** Values for this customer are sealed to it; for a company it is the key of the account. */
  readonly publicKey: string
  readonly connectedAt: Instant
  /** While there are any, neither side can end the connection. */
  readonly openContracts: number
}

/** A connection that ends in the current transaction. */
export interface EndedConnection {
  readonly connection: StoredConnection
  readonly by: 'customer' | 'service'
  /** The account of the customer was deleted, and its share code with it. */
  readonly isErased: boolean
}

/** Names a connection of a service by one of its members; null for a malformed id. */
export type ConnectionSelector =
  | { readonly connectionId: ConnectionId | null }
  | { readonly customerId: UserId | null }
  | { readonly shareCode: string }

/** A connection in a list without values. */
export type ConnectionSummary = Pick<
  StoredConnection,
  'id' | 'customerId' | 'customerType' | 'shareCode' | 'displayName' | 'publicKey'
>

export interface SlotName {
  readonly serviceId: ServiceId
  readonly connectionId: ConnectionId
  readonly requestFieldId: RequestFieldId
}

/** The answer in a slot: sealed text, or a file in this region's object store. */
export interface SlotContent {
  readonly requestFieldId: RequestFieldId
  readonly rev: number
  readonly live: boolean
  readonly isPrivate: boolean
  readonly value: string | null
  readonly file: StoredFile | null
  /** Of the customer's device; opaque here. */
  readonly senderSignature: string | null
  readonly attested: Attested | null
  readonly at: Instant
  /** Null unless it is a file that was shared once. */
  readonly expiresAt: Instant | null
}

/** The object holds exactly the bytes that the file route answers. */
export interface StoredFile {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
  readonly contentType: string
  readonly form: SlotFile['form']
}

/** The part of a stored slot that decides about a change. The connection's row lock covers its slots. */
export interface PresentSlot {
  readonly requestFieldId: RequestFieldId
  readonly state: 'answered' | 'declined'
  readonly rev: number
  readonly objectKey: ObjectKey | null
}

export interface DeletedSlot {
  readonly connectionId: ConnectionId
  readonly requestFieldId: RequestFieldId
  readonly state: 'answered' | 'declined'
  readonly objectKey: ObjectKey | null
}

/** A connection with all its slots, as one statement reads it. */
export interface RecordRow {
  readonly rev: number
  readonly id: ConnectionId
  readonly customerId: UserId
  readonly customerType: CustomerType
  readonly shareCode: string
  readonly displayName: string
  readonly connectedAt: Instant
  /** Packed; `readSlots` parses it. Null when nothing is decided. */
  readonly slots: string | null
  /** Most connections have none: they need no second statement. */
  readonly hasFlowValues: boolean
}

export interface RecordSlot {
  readonly field: RequestFieldId
  readonly isAnswered: boolean
  readonly live: boolean
  readonly isPrivate: boolean
  readonly value: string | null
  readonly sha256: string | null
  readonly senderSignature: string | null
  readonly attested: Attested | null
  readonly updatedAt: Instant
  readonly providedAt: Instant
  readonly expiresAt: Instant | null
}

export interface RecordName {
  readonly serviceId: ServiceId
  readonly id: ConnectionId
}

/** The part of an answered slot that an event shows. */
export interface SlotRow {
  readonly connectionId: ConnectionId
  readonly field: RequestFieldId
  readonly live: boolean
  readonly value: string | null
  readonly senderSignature: string | null
  readonly attested: Attested | null
  /** It has an attestation, or had one. */
  readonly wasAttested: boolean
}

export interface FileRow {
  readonly rev: number
  readonly objectKey: ObjectKey | null
  readonly sha256: Sha256
  readonly bytes: number
  readonly contentType: string
  readonly form: SlotFile['form']
  readonly expiresAt: Instant | null
}

/** A part of a list in the order of connection ids. */
/** The request rows of a service at one revision, indexed. */
export interface KnownRows {
  readonly rev: number
  readonly all: readonly RequestRow[]
  readonly byId: ReadonlyMap<RequestFieldId, RequestRow>
  readonly asked: Readonly<Record<CustomerType, readonly RequestRow[]>>
}

export type ConnectRequestId = Brand<string, 'ConnectRequestId'>

/** The last request of a service to a person. */
export interface ConnectRequest {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly id: ConnectRequestId
  readonly customerId: UserId
  readonly customerRegion: string
  readonly shareCode: string
  readonly state: 'pending' | 'accepted' | 'rejected' | 'closed'
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly answeredAt: Instant | null
}

export type NewRequest = Omit<ConnectRequest, 'state' | 'answeredAt'>

/** The texts that a person reads in a connect request. */
export interface RequestTexts {
  readonly company: { readonly displayName: string; readonly shareCode: string }
  readonly serviceName: string
  readonly serviceCode: string
  readonly message: string | null
}

/** A file copied here before the connection that will use it exists. */
export interface TakenFile {
  readonly serviceId: ServiceId
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
}

/** The company's copy of an answer of a completed run. */
export interface FlowValue {
  readonly flowId: string
  readonly runId: string
  readonly slug: string
  readonly type: string
  readonly isPrivate: boolean
  readonly attested: Attested | null
  /** Null for a file, which stays with the run or its link. */
  readonly value: string | null
  readonly sha256: string | null
  /** It follows a field of the customer. */
  readonly live: boolean
  readonly at: Instant
}

export interface StoredFlowValue extends FlowValue {
  /** The request field that it fills; null without one. */
  readonly requestFieldId: RequestFieldId | null
}

export interface FlowValueRow extends Omit<StoredFlowValue, 'at'> {
  readonly connectionId: ConnectionId
  /** It has an attestation, or had one. */
  readonly wasAttested: boolean
  readonly updatedAt: Instant
  readonly providedAt: Instant
}

/**
 * The current copy of a field that an answer follows. Without content it was withdrawn; its row stays while the connection
 * does, so that an older change has no effect.
 */
export interface StoredLink {
  readonly connectionId: ConnectionId
  readonly flowId: string
  readonly slug: string
  readonly rev: number
  readonly type: string
  /** The last run with a linked answer; null before the first. */
  readonly runId: string | null
  /** That run has completed: the content is a value of the connection. */
  readonly isShared: boolean
  readonly isPrivate: boolean
  readonly value: string | null
  /** Null for a file that the run holds. */
  readonly objectKey: ObjectKey | null
  readonly sha256: Sha256 | null
  readonly bytes: number | null
  readonly contentType: string | null
  readonly form: SlotFile['form'] | null
  readonly attested: Attested | null
  readonly updatedAt: Instant
}
