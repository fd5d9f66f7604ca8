export { DUE_QUEUES } from '../store/heads.ts'
export {
  type ClaimedQueue,
  type NewQueue,
  type OutcomeReport,
  type PendingBatch,
  type PendingEvent,
  type QueueChange,
  type QueueChanged,
  type QueueExplanation,
  type QueueHealth,
  type QueueState,
  type QueueTransition,
  type RecordedOutcome,
  type SendKind,
  sendKind,
  type StaleQueue,
  type WebhookName,
} from './model.ts'
export { changeQueue, deleteQueue, openQueue, resumeQueuesOf, suspendQueuesOf } from './operations/change-queue.ts'
export { type ClaimPosition, claimQueues, type ClaimRequest, hasDueQueues } from './operations/claim-queues.ts'
export { purgeStaleQueues } from './operations/purge-stale.ts'
export { readPendingEvents, renderPendingEvents } from './operations/read-events.ts'
export {
  explainQueue,
  listOldBacklogs,
  listQueueHealth,
  measureQueues,
  readQueueHealth,
} from './operations/read-health.ts'
export { recordOutcomes } from './operations/record-outcomes.ts'
export { listStoppedQueues } from './store/backlogs.ts'
export { isFairShare, mayTakeSlot, type Shares } from './rules/fair-shares.ts'
export { CHECK_FIRST_MS } from './rules/machine.ts'
