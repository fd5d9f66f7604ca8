import { instant } from '@sealpost/kernel'
import { shelfOf } from '@sealpost/postgres'
import type { FeedNeeds } from './needs.ts'
import { dayToSweep, LISTENER_MS, oldestAttempt, oldestKept } from './rules.ts'
import { deleteListeners } from './store/channels.ts'
import { sweepEvents } from './store/log.ts'
import { deleteOldPages } from './store/pages.ts'
import { deletePassedSubscriptions } from './store/subscriptions.ts'

const PAGES_AT_ONCE = 1000

/** Forgets what is over; safe to do twice, by several workers at once. */
export async function tidyFeed(needs: Pick<FeedNeeds, 'database' | 'clock'>): Promise<void> {
  const { database, clock } = needs
  const now = clock.now()
  for (;;) {
    const deleted = await database.transaction((tx) => deleteOldPages(tx, oldestAttempt(now), PAGES_AT_ONCE))
    if (deleted < PAGES_AT_ONCE) break
  }
  await database.transaction((tx) => deleteListeners(tx, instant(now - LISTENER_MS)))
  await database.transaction((tx) => deletePassedSubscriptions(tx))
  await sweep(needs)
}

async function sweep({ database, clock }: Pick<FeedNeeds, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  const shelf = shelfOf(dayToSweep(now))
  await database.transaction((tx) => sweepEvents(tx, shelf, oldestKept(now)))
}
