import { startLoop } from '@sealpost/process'
import { measureQueues } from '../../../feed/index.ts'
import type { WebhooksContext } from '../../context.ts'
import type { BacklogMeasure } from './metrics.ts'

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
  const loop = startLoop({
    name: 'the measurement of the backlog of webhooks',
    log,
    everyMs: EVERY_MS,
    backoff: { firstMs: EVERY_MS, longestMs: EVERY_MS },
    async work() {
      const now = clock.now()
      const { parkedCount, oldestPendingAt } = await database.read((read) => measureQueues(read, now))
      last = { parkedCount, oldestAgeSeconds: oldestPendingAt === null ? 0 : (now - oldestPendingAt) / 1_000 }
    },
  })
  return { last: () => last, close: () => loop.close() }
}
