import type { Attestation } from '@sealpost/field-types'
import type { Images } from '@sealpost/images'
import type { FieldId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { Platform } from '../../platform/module.ts'
import type { FieldChange, LiveSlot, PreparedFile, ValueChange } from './model.ts'
import type { PhotoId } from './photos/model.ts'

export interface VaultContext extends Platform {
  readonly hooks: VaultHooks
  readonly images: Images
}

/**
 * Calls to the modules above, which share values. Those with a `tx` run in the transaction of the change, after the row
 * was written, while it is locked. They own the objects that they are handed: they pass them on or discard them.
 */
export interface VaultHooks {
  /** Every live slot fed by this field. */
  liveSlots(read: Read, accountId: UserId, fieldId: FieldId): Promise<readonly LiveSlot[]>
  /** Outside any transaction: makes the object of every live slot for a file in the clear. */
  prepareClearFiles(change: {
    readonly accountId: UserId
    readonly fieldId: FieldId
    readonly envelope: string
  }): Promise<readonly PreparedFile[]>
  onValueChanged(tx: Tx, change: ValueChange): Promise<void>
  onValueDeleted(tx: Tx, change: FieldChange): Promise<void>
  onAttestationChanged(tx: Tx, change: FieldChange & { readonly attestation: Attestation | null }): Promise<void>
  /** A company's text changed or is gone; its business cards may show it. */
  onPlainValueChanged(tx: Tx, change: { readonly accountId: UserId; readonly fieldId: FieldId }): Promise<void>
  /** Last in the transaction, and for persons only: their other devices read the value again. */
  onOwnValueChanged(tx: Tx, change: { readonly accountId: UserId; readonly fieldId: FieldId }): Promise<void>
  /** No business card may show the photo any more. */
  onPhotoDeleted(tx: Tx, photo: { readonly accountId: UserId; readonly photoId: PhotoId }): Promise<void>
}
