import type { FieldId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, findAccount, lockAccount, lockAccountForShare } from '../../account/index.ts'
import type { VaultContext } from '../context.ts'
import { discardObjects, discardVersions } from '../garbage/index.ts'
import type { FieldChange } from '../model.ts'
import { deleteShares } from '../store/shares.ts'
import { addStoredBytes, deleteStoredBytes } from '../store/stored-bytes.ts'
import { deleteAllValues, deleteValue, findValueRow, lockValueRow } from '../store/values.ts'
import { deleteVerifications } from '../verification/store/verifications.ts'

export async function removeValue(
  vault: Pick<VaultContext, 'database' | 'clock' | 'hooks'>,
  accountId: UserId,
  fieldId: FieldId,
): Promise<void> {
  const at = vault.clock.now()
  await vault.database.transaction(async (tx) => {
    // The account first, as [Note: value lock] says: its erasure locks it before everything that belongs to it.
    if (!(await lockAccountForShare(tx, accountId))) throw refuse('auth.token_invalid')
    if (!(await deleteWithShares(vault, tx, { accountId, fieldId, at }))) throw refuse('request.not_found')
  })
}

/** Deletes a value, its staged files and verifications, and what follows it; false when there was none. */
async function deleteWithShares({ hooks }: Pick<VaultContext, 'hooks'>, tx: Tx, change: FieldChange): Promise<boolean> {
  const { accountId, fieldId, at } = change
  const before = await lockValueRow(tx, accountId, fieldId)
  const staged = await deleteShares(tx, accountId, fieldId)
  await deleteVerifications(tx, accountId, fieldId)
  await discardVersions(tx, [accountId], [fieldId], at)
  await discardObjects(tx, staged, at)
  if (before === null) return false
  await deleteValue(tx, accountId, fieldId)
  if (before.content.kind === 'object') {
    await discardObjects(tx, [before.content.objectKey], at)
    await addStoredBytes(tx, accountId, -before.content.bytes, at)
  }
  await hooks.onValueDeleted(tx, change)
  if (before.content.kind === 'plain') await hooks.onPlainValueChanged(tx, { accountId, fieldId })
  const account = await findAccount(tx, accountId)
  if (account?.userType === 'person') await hooks.onOwnValueChanged(tx, { accountId, fieldId })
  return true
}

/** Hook of the registry: type and usertype of a field are fixed while it holds a value. */
export async function hasValue(read: Read, accountId: UserId, fieldId: FieldId): Promise<boolean> {
  return (await findValueRow(read, accountId, fieldId)) !== null
}

/** Hook of the registry: deletes the value together with its field. */
export async function fieldDeleted(vault: Pick<VaultContext, 'hooks'>, tx: Tx, change: FieldChange): Promise<void> {
  await deleteWithShares(vault, tx, change)
}

/** Hook of the registry: business cards show the label of a plain value's field. */
export async function fieldChanged(
  { hooks }: Pick<VaultContext, 'hooks'>,
  tx: Tx,
  { accountId, fieldId }: Pick<FieldChange, 'accountId' | 'fieldId'>,
): Promise<void> {
  const value = await findValueRow(tx, accountId, fieldId)
  if (value?.content.kind === 'plain') await hooks.onPlainValueChanged(tx, { accountId, fieldId })
}

/** Part of the erasure of an account. Its connections end by their own hook, so nothing here is shared any more. */
export async function forgetValues({ clock }: Pick<VaultContext, 'clock'>, tx: Tx, { id }: Account): Promise<void> {
  await lockAccount(tx, id)
  const values = await deleteAllValues(tx, id)
  const staged = await deleteShares(tx, id, null)
  await deleteVerifications(tx, id, null)
  await deleteStoredBytes(tx, id)
  await discardObjects(tx, [...values, ...staged], clock.now())
  await discardVersions(tx, [id], null, clock.now())
}
