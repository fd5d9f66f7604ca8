import type { FieldId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type ContactField, findContactField, listContactFields } from '../registry/index.ts'
import { findValueRow, listValueRows, lockValueRow, type ValueSlice } from './store/values.ts'
import type { StoredValue, VaultValue } from './value.ts'

export async function findVaultValue(read: Read, accountId: UserId, fieldId: FieldId): Promise<VaultValue | null> {
  const stored = await findValueRow(read, accountId, fieldId)
  return stored === null ? null : named(stored, await findContactField(read, accountId, fieldId))
}

/**
 * [Note: value lock] Whoever lets a slot follow a value holds its row, and so does whoever changes the value: an edit
 * sees every slot that follows it. Lock the account first, then values in the order of their fields, then connections.
 */
export async function lockVaultValue(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<VaultValue | null> {
  const stored = await lockValueRow(tx, accountId, fieldId)
  return stored === null ? null : named(stored, await findContactField(tx, accountId, fieldId))
}

export async function listVaultValues(
  read: Read,
  accountId: UserId,
  slice: ValueSlice,
): Promise<readonly VaultValue[]> {
  const rows = await listValueRows(read, accountId, slice)
  const fields = new Map((await listContactFields(read, accountId)).map((field) => [field.id, field]))
  return rows.flatMap((row) => {
    const value = named(row, fields.get(row.fieldId) ?? null)
    return value === null ? [] : [value]
  })
}

/** A value without its field is none: the field went this moment. */
function named(stored: StoredValue, field: Pick<ContactField, 'type' | 'slug' | 'label'> | null): VaultValue | null {
  return field === null ? null : nameValue(stored, field)
}

export function nameValue(
  { accountId, fieldId, isPrivate, rev, updatedAt, content, attestation }: StoredValue,
  { type, slug, label }: Pick<ContactField, 'type' | 'slug' | 'label'>,
): VaultValue {
  return { accountId, fieldId, type, slug, label, isPrivate, rev, updatedAt, content, attestation }
}
