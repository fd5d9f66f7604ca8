import type { UserId } from '@sealpost/kernel'
import type { AccountNeeds } from './operations.ts'
import { eraseRows, findAccount } from './store/accounts.ts'

/**
 * Ends an account: keys, address, recovery copies, delegates and log are gone in one transaction with what the hooks of
 * other modules end, and the directory and the other regions are told by it. Resolves when no process of this region
 * accepts a token of the account any more. An account that is gone already stays so.
 */
export async function eraseAccount(needs: AccountNeeds, userId: UserId): Promise<void> {
  const revision = await needs.database.transaction(async (tx) => {
    const account = await findAccount(tx, userId)
    if (account !== null) {
      for (const hook of needs.hooks.onAccountDeleted) await hook(tx, account)
      await eraseRows(tx, userId)
      await needs.directory.tellErased(tx, userId)
    }
    return needs.guards.record(tx, userId)
  })
  await needs.guards.settle(revision)
}
