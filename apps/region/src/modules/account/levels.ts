import type { UserId } from '@sealpost/kernel'
import type { Level } from '@sealpost/protocol'
import type { AccountNeeds } from './operations.ts'
import { findAccount, setAccountLevel } from './store/accounts.ts'
import { recordAudit } from './store/audit.ts'

/** By the operator. False when no company of that id lives here. Resolves when every process decides by the new level. */
export async function setLevel(needs: AccountNeeds, companyId: UserId, level: Level): Promise<boolean> {
  const account = await needs.database.read((read) => findAccount(read, companyId))
  if (account?.userType !== 'company') return false
  // Tokens are refused by the directory's word, calls by ours: if the second step fails, the command is repeated.
  await needs.directory.setLevel(companyId, level)
  const revision = await needs.database.transaction(async (tx) => {
    await setAccountLevel(tx, companyId, level)
    for (const hook of needs.hooks.onLevelChanged) await hook(tx, companyId, level)
    const at = needs.clock.now()
    await recordAudit(tx, { companyId, actorId: 'operator', action: 'account.set_level', ref: level, at })
    return needs.guards.record(tx, companyId)
  })
  await needs.guards.settle(revision)
  return true
}
