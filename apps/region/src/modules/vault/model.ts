import type { Attestation, Lane } from '@sealpost/field-types'
import type { ConnectionId, FieldId, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'

export type UserType = 'person' | 'company'

/** The value of a field, without what the registry knows of the field. */
export interface StoredValue {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly isPrivate: boolean
  /** Rises with every write of the field, also when the value was removed in between. */
  readonly rev: number
  readonly updatedAt: Instant
  readonly content: VaultContent
  /** May have expired: use `liveAttestation`. */
  readonly attestation: Attestation | null
}

export interface VaultValue extends StoredValue {
  readonly type: string
  readonly slug: string
  readonly label: string
}

/** A value with the digest of the call that wrote it. */
export interface WrittenValue extends StoredValue {
  readonly callSha256: string
}

/**
 * The row holds `sealed` (a person's wrapper) and `plain` (a company's text). A file is an object that holds exactly what
 * the file route answers; `clear` is the envelope of a field that is not private.
 */
export type VaultContent =
  | { readonly kind: 'sealed'; readonly wrapper: string }
  | { readonly kind: 'plain'; readonly text: string }
  | (StagedFile & { readonly kind: 'object'; readonly form: 'sealed' | 'clear' })

/** An object of this region that holds the exact bytes of a file answer. */
export interface StagedFile {
  readonly objectKey: ObjectKey
  readonly sha256: Sha256
  readonly bytes: number
}

/** A slot of a connection that follows a field. */
export interface LiveSlot {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly lane: Lane
}

export type SlotName = Pick<LiveSlot, 'connectionId' | 'slug'>

/** The new value of a field for one slot, sealed by the device: a wrapper, or a staged file for a binary one. */
export interface Share extends SlotName {
  readonly value: string | null
  readonly file: StagedFile | null
  /** Of the device; opaque here. */
  readonly senderSignature: string | null
}

/** The new value for one slot in the clear: the object holds exactly what the service will be served. */
export interface PreparedFile extends StagedFile, SlotName {
  readonly form: 'envelope' | 'raw'
  readonly contentType: string
}

export interface FieldChange {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly at: Instant
}

export interface ValueChange extends FieldChange {
  readonly value: VaultValue
  /** One per live slot, unless the value is a file in the clear. */
  readonly shares: readonly Share[]
  /** One per live slot of a file in the clear. */
  readonly files: readonly PreparedFile[]
}
