export { type FeedContext, feedContext, type FeedHooks } from './context.ts'
export { feedMigrations } from './migrations.ts'
export type {
  EventKind,
  FeedOwner,
  FeedResolver,
  FeedResolvers,
  JsonObject,
  NewEvent,
  ResolvedEvent,
  StoredEvent,
} from './model.ts'
export { openFeed } from './module.ts'
export { appendEvent, appendEvents } from './operations/append-events.ts'
export { deleteFeed } from './operations/delete-feed.ts'
export * from './quarantine/index.ts'
export * from './queues/index.ts'
export { dayToSweep, expiryOf, oldestKept, oldestVisible } from './rules/retention.ts'
