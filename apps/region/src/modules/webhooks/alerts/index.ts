export { type AlertNeeds, tellStaleQueues } from './tell.ts'
