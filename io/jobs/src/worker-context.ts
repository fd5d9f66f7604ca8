import type { Clock, Scheduler } from '@sealpost/kernel'
import type { Database } from '@sealpost/postgres'
import type { Counter, Telemetry } from '@sealpost/telemetry'
import type { Registered } from './registered.ts'

/** What the workers of one process stand on. */
export interface WorkerContext {
  readonly database: Database
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly scheduler: Scheduler
  readonly isPaused: () => Promise<boolean>
  /** Names this process in the table. */
  readonly worker: string
  readonly registered: Registered
  readonly outcomes: Counter
}
