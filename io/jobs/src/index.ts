export {
  type Backoff,
  type Job,
  type JobHandler,
  type JobKind,
  type JobQueue,
  type NewJob,
  PermanentJobFailure,
  type StepOutcome,
  UNTIL_DONE,
} from './contract.ts'
export type { JobsHealth } from './health.ts'
export { type Jobs, type JobsOptions, openJobs } from './jobs.ts'
export { jobsMigrations } from './migrations.ts'
export type { StationOptions } from './station.ts'
export type { DeadJob, KeyProgress, QueueState } from './store/operate.ts'
