import { measureQueues } from '../../../feed/index.ts'
import type { WebhooksContext } from '../../context.ts'
import type { BacklogMeasure } from './metrics.ts'
import { startPoll } from './poll.ts'

/** Measures the backlog of the region periodically: a measurement per scrape would be too expensive. */
export interface BacklogGauge {
  readonly last: () => BacklogMeasure
  close(): Promise<void>
}

const EVERY_MS = 15_000

export function startBacklogGauge({
  database,
  clock,
  log,
}: Pick<WebhooksContext, 'database' | 'clock' | 'log'>): BacklogGauge {
  let last: BacklogMeasure = { parkedCount: 0, oldestAgeSeconds: 0 }
  const poll = startPoll(
    EVERY_MS,
    async () => {
      const now = clock.now()
      const { parkedCount, oldestPendingAt } = await database.read((read) => measureQueues(read, now))
      last = { parkedCount, oldestAgeSeconds: oldestPendingAt === null ? 0 : (now - oldestPendingAt) / 1_000 }
      return false
    },
    (error) => log.warn({ err: error }, 'the backlog of webhooks could not be measured'),
  )
  return { last: () => last, close: () => poll.stop() }
}
