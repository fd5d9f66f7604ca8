export { endMessageBroadcasts, endThreads, forgetMessages } from './customer-side/index.ts'
export { type MessagesContext, type MessagesHooks, messagesMigrations, openMessages } from './module.ts'
export {
  deleteMessagesOfService,
  endThread,
  listUnreadThreads,
  type Suspendable,
  suspend,
} from './service-side/index.ts'
