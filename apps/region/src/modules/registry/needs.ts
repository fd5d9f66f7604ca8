import type { Clock, FieldId, Ids, Instant, UserId } from '@sealpost/kernel'
import type { Database, Tx } from '@sealpost/postgres'

export interface RegistryNeeds {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly hooks: RegistryHooks
}

/** What the vault, which keeps the values of fields, knows and does in the transaction of a change. */
export interface RegistryHooks {
  hasValue(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<boolean>
  /** Drops the value, with everything that it feeds. */
  onFieldDeleted(
    tx: Tx,
    gone: { readonly accountId: UserId; readonly fieldId: FieldId; readonly at: Instant },
  ): Promise<void>
  /** The field is called differently now. */
  onFieldChanged(tx: Tx, changed: { readonly accountId: UserId; readonly fieldId: FieldId }): Promise<void>
}
