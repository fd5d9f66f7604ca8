import { type FieldId, parseUuid, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { Slice } from '../../../platform/page.ts'
import { type ContactField, findContactField, listContactFields } from '../../registry/index.ts'
import type { VaultContext } from '../context.ts'
import type { StoredValue, VaultValue } from '../model.ts'
import { findValueRow, listValueRows, lockValueRow } from '../store/values.ts'

/** The field that a path names; another account's answers like a missing one. */
export async function locateField(
  { database }: Pick<VaultContext, 'database'>,
  accountId: UserId,
  text: string,
): Promise<ContactField> {
  const id = parseUuid<FieldId>(text)
  const field = id === null ? null : await database.read((read) => findContactField(read, accountId, id))
  if (field === null) throw refuse('request.not_found')
  return field
}

export async function locateValue(
  { database }: Pick<VaultContext, 'database'>,
  accountId: UserId,
  text: string,
): Promise<VaultValue> {
  const id = parseUuid<FieldId>(text)
  const value = id === null ? null : await database.read((read) => findVaultValue(read, accountId, id))
  if (value === null) throw refuse('request.not_found')
  return value
}

export async function findVaultValue(read: Read, accountId: UserId, fieldId: FieldId): Promise<VaultValue | null> {
  const stored = await findValueRow(read, accountId, fieldId)
  return stored === null ? null : withField(stored, await findContactField(read, accountId, fieldId))
}

/**
 * [Note: value lock] A transaction that lets a slot follow a value locks the value's row, and so does one that changes
 * the value: an edit sees every slot that follows it. Lock order: the account, then values in the order of their fields,
 * then connections.
 */
export async function lockVaultValue(tx: Tx, accountId: UserId, fieldId: FieldId): Promise<VaultValue | null> {
  const stored = await lockValueRow(tx, accountId, fieldId)
  return stored === null ? null : withField(stored, await findContactField(tx, accountId, fieldId))
}

export async function listVaultValues(read: Read, accountId: UserId, slice: Slice): Promise<readonly VaultValue[]> {
  const rows = await listValueRows(read, accountId, slice)
  const fields = new Map((await listContactFields(read, accountId)).map((field) => [field.id, field]))
  return rows.flatMap((row) => withField(row, fields.get(row.fieldId) ?? null) ?? [])
}

type FieldNames = Pick<ContactField, 'type' | 'slug' | 'label'>

/** Null without a field: it was deleted concurrently, and its value with it. */
function withField(stored: StoredValue, field: FieldNames | null): VaultValue | null {
  return field === null ? null : nameValue(stored, field)
}

export function nameValue(
  { accountId, fieldId, isPrivate, rev, updatedAt, content, attestation }: StoredValue,
  { type, slug, label }: FieldNames,
): VaultValue {
  return { accountId, fieldId, type, slug, label, isPrivate, rev, updatedAt, content, attestation }
}
