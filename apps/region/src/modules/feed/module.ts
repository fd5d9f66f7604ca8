import type { Module, Platform } from '../../platform/module.ts'
import { type FeedContext, feedContext, type FeedHooks } from './context.ts'
import { tidyFeed } from './operations/tidy.ts'
import { readQuarantine } from './quarantine/index.ts'
import { tidyQuarantine } from './quarantine/operations/tidy-quarantine.ts'
import { bindFeedRoutes } from './routes.ts'

export function openFeed(platform: Platform, hooks: FeedHooks): FeedContext & Module {
  const feed = feedContext(platform, hooks)
  let waiting = 0
  platform.telemetry.gauge(
    'feed_quarantined_events',
    'Events that do not match the schema of their kind and wait for an operator',
    () => waiting,
  )
  const tendQuarantine = async (): Promise<void> => {
    await tidyQuarantine(feed)
    waiting = (await readQuarantine(feed)).count
  }
  return {
    ...feed,
    name: 'feed',
    routes: (bind) => bindFeedRoutes(bind, feed),
    chores: [
      { what: 'change feeds', run: () => tidyFeed(feed) },
      { what: 'quarantined events', run: tendQuarantine },
    ],
    close: () => feed.idle(),
  }
}
