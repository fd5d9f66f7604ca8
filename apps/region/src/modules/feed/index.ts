export { type AppendNeeds, appendEvent, appendEvents } from './append.ts'
export { dropFeed } from './drop.ts'
export type {
  EventKind,
  FeedResolver,
  FeedResolvers,
  JsonObject,
  NewEvent,
  ResolvedEvent,
  StoredEvent,
} from './event.ts'
export { feedMigrations } from './migrations.ts'
export { type FeedNeeds, openFeed } from './needs.ts'
export * from './outlets/index.ts'
export type { FeedOwner } from './owner.ts'
export { bindFeedRoutes } from './routes.ts'
export { dayToSweep, oldestKept, oldestVisible } from './rules.ts'
export { tidyFeed } from './upkeep.ts'
