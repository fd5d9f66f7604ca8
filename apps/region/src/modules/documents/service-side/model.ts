import type { Brand, ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type {
  Document,
  DocumentAct,
  DocumentKind,
  DocumentMetadata,
  DocumentStatus,
  SigningMethod,
} from '@sealpost/protocol'

export type DocumentId = Brand<string, 'DocumentId'>
export type SealId = Brand<string, 'SealId'>
export type RunId = Brand<string, 'RunId'>
export type PayloadKind = Document['payload_kind']

export interface DocumentName {
  readonly serviceId: ServiceId
  readonly id: DocumentId
}

/** The customer that a document is for, as the connection named them. */
export interface Recipient {
  readonly connectionId: ConnectionId
  readonly customerId: UserId
  readonly customerRegion: string
  /** Null once the account is deleted. */
  readonly shareCode: string | null
}

/** An object in this region's store. */
export interface StoredObject {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
}

export interface RawFile extends StoredObject {
  readonly originalName: string
  readonly mimeType: string
}

/** A row of `document`, without its signatures. */
export interface StoredDocument extends DocumentName {
  readonly companyId: UserId
  readonly recipient: 'customer' | 'broadcast' | 'owner'
  /** Null unless it is for one customer. */
  readonly customer: Recipient | null
  readonly name: string
  readonly description: string | null
  readonly kind: DocumentKind
  readonly payloadKind: PayloadKind
  readonly isPrivate: boolean
  readonly requiresSignature: boolean
  readonly requiresAcceptance: boolean
  readonly status: DocumentStatus
  readonly metadata: DocumentMetadata
  /** `YYYY-MM-DD`. */
  readonly cancelEffectiveDate: string | null
  /** The side that wrote the date last; null without a date, and for one that an earlier release wrote. */
  readonly cancelSetBy: 'company' | 'customer' | null
  /** The date of the customer's cancellation, also when the company has brought it forward since. */
  readonly customerCancelDate: string | null
  readonly isPending: boolean
  readonly value: string | null
  readonly contentSha256: string | null
  readonly plainSha256: string | null
  readonly sealedAt: Instant | null
  readonly rawFile: RawFile | null
  readonly answerFile: StoredObject | null
  readonly runId: RunId | null
  readonly outputKey: string | null
  /** The party of the run whose copy it is. */
  readonly partyKey: string | null
  /** Its place in the signing line; null for a party that only receives it. */
  readonly position: number | null
  readonly rev: number
  readonly contentRev: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What a change of the status writes. */
export type StatusMembers = Pick<
  StoredDocument,
  'status' | 'cancelEffectiveDate' | 'cancelSetBy' | 'customerCancelDate'
>

export type CustomerDocument = StoredDocument & { readonly customer: Recipient }

/** One participant's copy of an output of a run. */
export type RunCopy = StoredDocument & {
  readonly runId: RunId
  readonly outputKey: string
  readonly partyKey: string
}

export interface RunName {
  readonly serviceId: ServiceId
  readonly runId: RunId
}

export interface Signature {
  readonly documentId: DocumentId
  readonly action: 'signed' | 'accepted'
  readonly method: SigningMethod | null
  readonly contentSha256: string
  readonly plainSha256: string | null
  readonly signerId: UserId
  readonly signerFirstName: string | null
  readonly signerLastName: string | null
  readonly signerNameVerified: boolean
  readonly ip: string | null
  readonly userAgent: string | null
  readonly createdAt: Instant
}

export interface DocumentFilter {
  readonly customerId: UserId | null
  readonly connectionId: ConnectionId | null
  readonly status: DocumentStatus | null
  readonly kind: DocumentKind | null
}

/** A customer's act on a document, as the customer's region asks for it. */
export interface ActRequest {
  readonly companyId: UserId
  readonly serviceId: ServiceId
  readonly connectionId: ConnectionId
  readonly customerId: UserId
  /** The region that asks: it may act only for its own customers. */
  readonly region: string
  readonly documentId: DocumentId
  readonly act: DocumentAct
}

/** A sealed PDF, encrypted to its reader, that waits for its act. */
export interface PreparedSeal extends StoredObject {
  readonly serviceId: ServiceId
  readonly id: SealId
  readonly documentId: DocumentId
  readonly contentSha256: string
  readonly plainSha256: string
  readonly contentRev: number
  /** The number of acts before this one. */
  readonly acts: number
  readonly actSha256: string
  /** The same PDF for the other participants of a run. */
  readonly copies: readonly SealedCopy[]
  readonly sealedAt: Instant
}

/** A sealed PDF, encrypted to the reader of this document. */
export interface SealedCopy extends StoredObject {
  readonly documentId: DocumentId
  readonly contentSha256: string
}
