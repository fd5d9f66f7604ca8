import type { FieldId, Instant, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../platform/module.ts'

export interface RegistryContext extends Platform {
  readonly hooks: RegistryHooks
}

/** Calls to the vault, which stores the values of fields, in the transaction of a change. */
export interface RegistryHooks {
  hasValue(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<boolean>
  /** Deletes the value and everything that is shared from it. */
  onFieldDeleted(
    tx: Tx,
    field: { readonly accountId: UserId; readonly fieldId: FieldId; readonly at: Instant },
  ): Promise<void>
  /** The slug or label changed. */
  onFieldChanged(tx: Tx, field: { readonly accountId: UserId; readonly fieldId: FieldId }): Promise<void>
}
