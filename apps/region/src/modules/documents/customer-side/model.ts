import type { Brand, ConnectionId, Instant, ServiceId, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'
import type { BroadcastFacts, DeviceAssertion, DocumentState, SigningMethod } from '@sealpost/protocol'
import type { UserType } from '../../account/index.ts'

export type DocumentId = Brand<string, 'DocumentId'>

export interface ServiceAddress {
  readonly companyId: UserId
  readonly companyRegion: string
  readonly serviceId: ServiceId
}

/** The owner is always part of the name. */
export interface CopyName {
  readonly accountId: UserId
  readonly id: DocumentId
}

export interface StoredFile {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
}

/** A wrapper string; or an object with exactly the bytes that the file route answers, also for long JSON. */
export type CopyContent =
  | { readonly value: string; readonly file: null }
  | { readonly value: null; readonly file: StoredFile }

export interface Copy extends CopyName, ServiceAddress {
  readonly userType: UserType
  readonly connectionId: ConnectionId
  readonly state: DocumentState
  readonly content: CopyContent
  readonly contentSha256: string
  readonly plainSha256: string | null
  readonly sealedAt: Instant | null
  readonly contentRev: number
}

export interface Broadcast extends ServiceAddress {
  readonly id: DocumentId
  readonly facts: BroadcastFacts
  /** Null until the first customer reads it. */
  readonly file: StoredFile | null
}

/** A document that a customer may read: an own copy, or a broadcast of a connected service. */
export type Readable =
  | { readonly form: 'copy'; readonly copy: Copy }
  | { readonly form: 'broadcast'; readonly broadcast: Broadcast; readonly connectionId: ConnectionId }

/** How a signer proves to be there. */
export interface Proof {
  readonly method: SigningMethod
  readonly content_sha256: string
  readonly assertion?: DeviceAssertion
  readonly code?: string
}

/** A URL of an object in the company's region. */
export interface OfferedFile {
  readonly url: string
  readonly sha256: string
  readonly bytes: number
}
