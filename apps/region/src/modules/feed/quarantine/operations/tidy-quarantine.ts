import { instant } from '@sealpost/kernel'
import { removeAll } from '../../../../platform/remove-all.ts'
import type { FeedContext } from '../../context.ts'
import { deleteOldQuarantined } from '../store/quarantined-events.ts'

const RETENTION_DAYS = 30
const RETENTION_MS = RETENTION_DAYS * 86_400_000
const EVENTS_AT_ONCE = 500

/** Deletes what is older than 30 days, also what no operator has looked at. */
export async function tidyQuarantine({ database, clock, log }: FeedContext): Promise<void> {
  const before = instant(clock.now() - RETENTION_MS)
  let open = 0
  await removeAll(EVENTS_AT_ONCE, async (limit) => {
    const batch = await database.transaction((tx) => deleteOldQuarantined(tx, before, limit))
    open += batch.open
    return batch.deleted
  })
  if (open > 0) log.error({ count: open }, `kept events were deleted after ${RETENTION_DAYS} days without an operator`)
}
