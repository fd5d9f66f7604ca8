import type { Database } from '@sealpost/postgres'
import { type DeadJob, listDead, type QueueState, readQueues } from './store/operate.ts'

/** What an operator must know, for `doctor`. */
export interface JobsHealth {
  readonly queues: readonly QueueState[]
  /** At most 100, the newest first. */
  readonly dead: readonly DeadJob[]
}

const SHOWN = 100

export function readHealth(database: Database): Promise<JobsHealth> {
  return database.read(async (read) => ({
    queues: await readQueues(read),
    dead: await listDead(read, SHOWN),
  }))
}
