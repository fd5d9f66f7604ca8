export type { QuarantinedEvent } from './model.ts'
export { discardEvents, findQuarantinedEvent, readQuarantine } from './operations/read-quarantine.ts'
export { listQuarantinedOf } from './store/quarantined-events.ts'
export { retryEvent } from './operations/retry-event.ts'
