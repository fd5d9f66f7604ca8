import type { Tx } from '@sealpost/postgres'
import type { Account } from '../../../account/index.ts'
import type { CustomerContext } from '../context.ts'
import { listServiceRegions, raiseNameRev } from '../store/customers.ts'

/** One tell per region with a service of this customer. */
export async function tellRenamed(
  { messages, clock }: CustomerContext,
  tx: Tx,
  { id: accountId, displayName }: Pick<Account, 'id' | 'displayName'>,
): Promise<void> {
  const regions = await listServiceRegions(tx, accountId)
  if (regions.length === 0) return
  const rev = await raiseNameRev(tx, accountId, clock.now())
  for (const region of regions) await messages.tellRenamed(tx, region, { accountId, displayName, rev })
}
