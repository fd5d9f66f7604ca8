import type { Attestation } from '@sealpost/field-types'
import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { ObjectKey, Sha256 } from '@sealpost/objects'

/** What an account has put into one of its fields. */
export interface VaultValue extends StoredValue {
  readonly type: string
  readonly slug: string
  readonly label: string
}

/** The same without what the registry says of its field. */
export interface StoredValue {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly isPrivate: boolean
  /** Rises with every write of the field, also when the value was removed in between. */
  readonly rev: number
  readonly updatedAt: Instant
  readonly content: VaultContent
  /** May have expired: ask `liveAttestation`. */
  readonly attestation: Attestation | null
}

/**
 * `sealed` and `plain` rest in the row: a person's wrapper, a company's text. A file rests in an object that holds exactly
 * what the file route answers; `clear` is the envelope of a field that is not private.
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

/** Null once it has expired. */
export function liveAttestation(attestation: Attestation | null, now: Instant): Attestation | null {
  const isOver = attestation !== null && attestation.expiresAt !== null && attestation.expiresAt <= now
  return isOver ? null : attestation
}
