import { instant } from '@sealpost/kernel'
import { partitionOf } from '@sealpost/postgres'
import type { FeedContext } from '../context.ts'
import { deletePassedSubscriptions } from '../queues/store/subscriptions.ts'
import { LISTENER_MS, oldestAttempt } from '../rules/leases.ts'
import { dayToSweep, oldestKept } from '../rules/retention.ts'
import { deleteListeners } from '../store/channels.ts'
import { sweepEvents } from '../store/events.ts'
import { deleteOldPages } from '../store/pages.ts'

const PAGES_AT_ONCE = 1000

/** Deletes expired rows. Idempotent: several workers may run it at once. */
export async function tidyFeed({ database, clock }: Pick<FeedContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (;;) {
    const deleted = await database.transaction((tx) => deleteOldPages(tx, oldestAttempt(now), PAGES_AT_ONCE))
    if (deleted < PAGES_AT_ONCE) break
  }
  await database.transaction((tx) => deleteListeners(tx, instant(now - LISTENER_MS)))
  await database.transaction((tx) => deletePassedSubscriptions(tx))
  await database.transaction((tx) => sweepEvents(tx, partitionOf(dayToSweep(now)), oldestKept(now)))
}
