import type { Attestation, Lane } from '@sealpost/field-types'
import type { ConnectionId, FieldId, Instant, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { StagedFile, VaultValue } from './value.ts'

/** A slot of a connection that follows a field. */
export interface LiveSlot {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly lane: Lane
}

/** The new value of a field for one slot, sealed by the device: a wrapper, or a staged file for a binary one. */
export interface Share {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly value: string | null
  readonly file: StagedFile | null
}

/** The new value for one slot where it is in the clear: the object holds exactly what the service will be served. */
export interface PreparedFile extends StagedFile {
  readonly connectionId: ConnectionId
  readonly slug: string
  readonly form: 'envelope' | 'raw'
  readonly contentType: string
}

export interface ValueChange {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly value: VaultValue
  /** One per live slot, unless the value is a file in the clear. */
  readonly shares: readonly Share[]
  /** One per live slot of a file in the clear. */
  readonly files: readonly PreparedFile[]
  readonly at: Instant
}

export interface FieldAct {
  readonly accountId: UserId
  readonly fieldId: FieldId
  readonly at: Instant
}

/**
 * What the modules above do about a value: they share it. Those with a transaction run in that of the change, after the
 * row was written, while it is locked. The objects they are handed are theirs: to pass on or to discard.
 */
export interface VaultHooks {
  /** Every live slot fed by this field. */
  liveSlots(read: Read, accountId: UserId, fieldId: FieldId): Promise<readonly LiveSlot[]>
  /** Outside of any transaction: makes the object of every live slot for a file in the clear. */
  prepareClearFiles(change: {
    readonly accountId: UserId
    readonly fieldId: FieldId
    readonly envelope: string
  }): Promise<readonly PreparedFile[]>
  onValueChanged(tx: Tx, change: ValueChange): Promise<void>
  onValueDeleted(tx: Tx, change: FieldAct): Promise<void>
  onAttestationChanged(tx: Tx, change: FieldAct & { readonly attestation: Attestation | null }): Promise<void>
  /** The text of a company has changed or is gone; its business cards may show it. */
  onPlainValueChanged(tx: Tx, change: { readonly accountId: UserId; readonly fieldId: FieldId }): Promise<void>
}
