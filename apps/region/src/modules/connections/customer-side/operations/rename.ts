import type { Tx } from '@sealpost/postgres'
import type { Account } from '../../../account/index.ts'
import type { CustomerNeeds } from '../needs.ts'
import { listServiceRegions, raiseNameRev } from '../store/customers.ts'

/** Once per region where a service of this customer lives, however many there are. */
export async function tellRenamed(
  { wire, clock }: Pick<CustomerNeeds, 'wire' | 'clock'>,
  tx: Tx,
  { id: accountId, displayName }: Pick<Account, 'id' | 'displayName'>,
): Promise<void> {
  const regions = await listServiceRegions(tx, accountId)
  if (regions.length === 0) return
  const rev = await raiseNameRev(tx, accountId, clock.now())
  for (const region of regions) await wire.tellRenamed(tx, region, { accountId, displayName, rev })
}
