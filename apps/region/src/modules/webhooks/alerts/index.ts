export { alertStaleQueues } from './operations/alert-stale-queues.ts'
