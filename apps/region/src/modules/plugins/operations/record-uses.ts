import type { UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { NewUse, UseOwner } from '../model.ts'
import { deleteUses, deleteUsesOf, insertUses } from '../store/uses.ts'

/**
 * Runs in the transaction that changes a flow, the request rows of a service or the claims of an app, after the plugins
 * were locked by `lockPluginFacts`.
 */
export async function recordUses(tx: Tx, owner: UseOwner, uses: readonly NewUse[]): Promise<void> {
  await deleteUses(tx, owner)
  if (uses.length > 0) await insertUses(tx, owner, uses)
}

/** Runs in the transaction that deletes a service or an app. */
export function forgetUses(tx: Tx, companyId: UserId, ownerId: string): Promise<void> {
  return deleteUsesOf(tx, companyId, ownerId)
}
