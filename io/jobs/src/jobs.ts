import type { Clock, Ids, Scheduler } from '@sealpost/kernel'
import type { Database, Read, Tx } from '@sealpost/postgres'
import { systemScheduler } from '@sealpost/process'
import type { Telemetry } from '@sealpost/telemetry'
import type { JobHandler, JobKind, JobQueue, NewJob } from './contract.ts'
import { type JobsHealth, readHealth } from './health.ts'
import { register, type Registered } from './registered.ts'
import { runDueJobs } from './run-due.ts'
import { startStation, type Station, type StationOptions } from './station.ts'
import { insertJobs } from './store/enqueue.ts'
import { deleteJobs, type KeyProgress, readProgress, reviveJobs } from './store/operate.ts'
import { toTenant } from './tenant.ts'
import { createWaker } from './wake.ts'
import type { WorkerContext } from './worker-context.ts'

export interface JobsOptions {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly telemetry: Telemetry
  /** While true no step begins. */
  readonly isPaused?: () => Promise<boolean>
  readonly scheduler?: Scheduler
}

export interface Jobs {
  /** In the caller's transaction: the job exists if that commits, and only then. */
  enqueue<Payload extends object, Cursor>(
    tx: Tx,
    kind: JobKind<Payload, Cursor>,
    jobs: NewJob<Payload> | readonly NewJob<Payload>[],
  ): Promise<void>
  /** Before `start`. */
  handle<Payload extends object, Cursor, Prepared = undefined>(
    kind: JobKind<Payload, Cursor>,
    handler: JobHandler<Payload, Cursor, Prepared>,
  ): void
  /** In the caller's transaction. A step that is under way is not stopped, but writes nothing. Answers how many there were. */
  cancel(tx: Tx, ids: readonly string[]): Promise<number>
  cancelKeys(tx: Tx, queue: JobQueue, keys: readonly string[]): Promise<number>
  /** Of a tenant's jobs of a kind that are not done, by key. */
  progress(
    read: Read,
    kind: JobKind<never>,
    tenantId: string | null,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, KeyProgress>>
  /** Takes up the work of all kinds that have a handler. */
  start(options?: StationOptions): Promise<void>
  /** Runs what is due now, at most so many steps of it, and resolves when that is done; for tests and orderly ends. */
  runDue(mostSteps?: number): Promise<void>
  health(): Promise<JobsHealth>
  /** For operators: dead jobs, by their ids or all of a queue, are tried again at once. Answers how many. */
  retry(which: { readonly ids: readonly string[] } | { readonly queue: string }): Promise<number>
  /** For operators: forgets jobs, whatever their state. */
  discard(ids: readonly string[]): Promise<number>
  close(): Promise<void>
}

export function openJobs(options: JobsOptions): Jobs {
  const { database, clock, ids, telemetry, scheduler = systemScheduler } = options
  const registered: Registered = new Map()
  const waker = createWaker(database, scheduler)
  const context: WorkerContext = {
    database,
    clock,
    telemetry,
    scheduler,
    isPaused: options.isPaused ?? (() => Promise.resolve(false)),
    worker: ids.uuid(),
    registered,
    outcomes: telemetry.counter('job_steps_total', 'Steps of jobs, by what became of them'),
  }
  let station: Station | null = null
  return {
    async enqueue(tx, { name, queue }, jobs) {
      const now = clock.now()
      const rows = (isMany(jobs) ? jobs : [jobs]).map((job) => ({
        id: job.id ?? ids.uuid(),
        kind: name,
        tenantId: toTenant(job.tenantId),
        key: job.key ?? null,
        payload: job.payload,
        total: job.total ?? null,
        dueAt: job.notBefore ?? now,
      }))
      if (rows.length === 0) return
      await insertJobs(tx, queue.name, rows, now)
      tx.afterCommit(() => waker.wake(queue.name))
    },
    handle: (kind, handler) => register(registered, kind, handler),
    cancel: (tx, which) => deleteJobs(tx, { ids: which }, clock.now()),
    cancelKeys: (tx, { name }, keys) => deleteJobs(tx, { queue: name, keys }, clock.now()),
    progress: (read, { name, queue }, tenantId, keys) =>
      readProgress(read, { queue: queue.name, kind: name }, toTenant(tenantId), keys),
    async start(stationOptions = {}) {
      station = await startStation(context, waker, stationOptions)
    },
    runDue: (mostSteps = Infinity) => runDueJobs(context, mostSteps),
    health: () => readHealth(database),
    retry: (which) => database.transaction((tx) => reviveJobs(tx, which, clock.now())),
    discard: (which) => database.transaction((tx) => deleteJobs(tx, { ids: which }, clock.now())),
    async close() {
      await station?.close()
      station = null
    },
  }
}

function isMany<Payload>(jobs: NewJob<Payload> | readonly NewJob<Payload>[]): jobs is readonly NewJob<Payload>[] {
  return Array.isArray(jobs)
}
