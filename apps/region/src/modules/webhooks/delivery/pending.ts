import { measureOutlets } from '../../feed/index.ts'
import type { Pending } from './metrics.ts'
import type { DeliveryNeeds } from './needs.ts'
import { startPoll } from './poll.ts'

/** Looks now and then how much the region's webhooks have waiting: read at every scrape it would cost every scrape. */
export interface PendingWatch {
  readonly last: () => Pending
  close(): Promise<void>
}

const LOOK_EVERY_MS = 15_000

export function watchPending({ database, clock, telemetry }: DeliveryNeeds): PendingWatch {
  let last: Pending = { parkedCount: 0, oldestAgeSeconds: 0 }
  const poll = startPoll(
    LOOK_EVERY_MS,
    async () => {
      const now = clock.now()
      const { parkedCount, oldestPendingAt } = await database.read((read) => measureOutlets(read, now))
      last = { parkedCount, oldestAgeSeconds: oldestPendingAt === null ? 0 : (now - oldestPendingAt) / 1_000 }
      return false
    },
    (error) => telemetry.log.warn({ err: error }, 'what webhooks have waiting could not be counted'),
  )
  return { last: () => last, close: () => poll.stop() }
}
