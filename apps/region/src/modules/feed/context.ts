import type { Counter } from '@sealpost/telemetry'
import type { Platform } from '../../platform/module.ts'
import type { FeedResolvers } from './model.ts'

export interface FeedContext extends Pick<Platform, 'database' | 'clock' | 'ids' | 'log'> {
  /** See [Note: resolved at delivery]. */
  readonly resolvers: FeedResolvers
  /** Events that were kept aside: [Note: quarantine]. */
  readonly quarantined: Counter
  /** Runs work after an answer was sent; a failure is logged and nothing else. */
  runAfterAnswer(what: string, work: () => Promise<void>): void
  /** Resolves when all work that runs after answers has ended. */
  idle(): Promise<void>
}

/** Calls to the modules above. */
export interface FeedHooks {
  readonly resolvers: FeedResolvers
}

export function feedContext(
  { telemetry, ...platform }: Pick<Platform, 'database' | 'clock' | 'ids' | 'log' | 'telemetry'>,
  { resolvers }: FeedHooks,
): FeedContext {
  const running = new Set<Promise<void>>()
  return {
    ...platform,
    resolvers,
    quarantined: telemetry.counter(
      'feed_events_quarantined',
      'Events that did not match the schema of their kind and were kept aside',
    ),
    runAfterAnswer(what, work) {
      const task = work()
        .catch((error: unknown) =>
          platform.log.warn({ err: error }, `${what}; its events are delivered again when its lease ends`),
        )
        .finally(() => running.delete(task))
      running.add(task)
    },
    async idle() {
      await Promise.all(running)
    },
  }
}
