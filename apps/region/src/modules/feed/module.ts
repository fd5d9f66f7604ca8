import type { Module, Platform } from '../../platform/module.ts'
import { type FeedContext, feedContext, type FeedHooks } from './context.ts'
import { tidyFeed } from './operations/tidy.ts'
import { bindFeedRoutes } from './routes.ts'

export function openFeed(platform: Platform, hooks: FeedHooks): FeedContext & Module {
  const feed = feedContext(platform, hooks)
  return {
    ...feed,
    name: 'feed',
    routes: (bind) => bindFeedRoutes(bind, feed),
    chores: [{ what: 'change feeds', run: () => tidyFeed(feed) }],
    close: () => feed.idle(),
  }
}
