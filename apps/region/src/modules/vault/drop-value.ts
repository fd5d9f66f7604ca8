import type { FieldId, UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { type Account, holdAccount, lockAccount } from '../account/index.ts'
import type { RegistryHooks } from '../registry/index.ts'
import type { FieldAct } from './hooks.ts'
import type { VaultNeeds } from './needs.ts'
import { discardLater } from './objects.ts'
import { deleteShares } from './store/shares.ts'
import { deleteAllValues, deleteValue, findValueRow, lockValueRow } from './store/values.ts'
import { deleteVerifications } from './store/verifications.ts'

type DropNeeds = Pick<VaultNeeds, 'database' | 'clock' | 'hooks'>

export async function removeValue(needs: DropNeeds, accountId: UserId, fieldId: FieldId): Promise<void> {
  const at = needs.clock.now()
  await needs.database.transaction(async (tx) => {
    // See [Note: value lock]: an erasure holds the account before anything of it.
    if (!(await holdAccount(tx, accountId))) throw refuse('auth.token_invalid')
    if (!(await dropValue(needs, tx, { accountId, fieldId, at }))) throw refuse('request.not_found')
  })
}

/** With everything that it feeds; false when there was none. */
async function dropValue({ hooks }: Pick<DropNeeds, 'hooks'>, tx: Tx, act: FieldAct): Promise<boolean> {
  const { accountId, fieldId, at } = act
  const before = await lockValueRow(tx, accountId, fieldId)
  const staged = await deleteShares(tx, accountId, fieldId)
  await deleteVerifications(tx, accountId, fieldId)
  await discardLater(tx, staged, at)
  if (before === null) return false
  await deleteValue(tx, accountId, fieldId)
  if (before.content.kind === 'object') await discardLater(tx, [before.content.objectKey], at)
  await hooks.onValueDeleted(tx, act)
  if (before.content.kind === 'plain') await hooks.onPlainValueChanged(tx, { accountId, fieldId })
  return true
}

/** What the registry, below, has to know of values. */
export function registryHooks(needs: Pick<VaultNeeds, 'hooks'>): RegistryHooks {
  return {
    hasValue: async (tx, accountId, fieldId) => (await findValueRow(tx, accountId, fieldId)) !== null,
    async onFieldDeleted(tx, gone) {
      await dropValue(needs, tx, gone)
    },
    async onFieldChanged(tx, { accountId, fieldId }) {
      const value = await findValueRow(tx, accountId, fieldId)
      if (value?.content.kind === 'plain') await needs.hooks.onPlainValueChanged(tx, { accountId, fieldId })
    },
  }
}

/** The account is gone. Its connections end by their own hook, so nothing here is shared any more. */
export async function forgetValues({ clock }: Pick<VaultNeeds, 'clock'>, tx: Tx, { id }: Account): Promise<void> {
  await lockAccount(tx, id)
  const values = await deleteAllValues(tx, id)
  const staged = await deleteShares(tx, id, null)
  await deleteVerifications(tx, id, null)
  await discardLater(tx, [...values, ...staged], clock.now())
}
