import { instant } from '@sealpost/kernel'
import { removeAll } from '../../../../platform/remove-all.ts'
import type { CustomerContext } from '../context.ts'
import { deleteOldOpenings } from '../store/connections.ts'
import { deleteOldAnnounced } from '../store/flow-links.ts'
import { deleteLapsedRequests } from '../store/requests.ts'

const OPENING_MAX_MS = 7 * 24 * 3_600_000
const AT_ONCE = 1000

/** Removes openings and links of flows that no service confirmed within a week, and lapsed requests. */
export async function tidyCustomerSide({ database, clock }: CustomerContext): Promise<void> {
  const now = clock.now()
  const before = instant(now - OPENING_MAX_MS)
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldOpenings(tx, before, limit)))
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteOldAnnounced(tx, before, limit)))
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteLapsedRequests(tx, now, limit)))
}
