import { type JobKind, type Jobs, type JobsOptions, jobsMigrations, type NewJob, openJobs } from '@sealpost/jobs'
import { type Database, joinMigrations, runStatement, sqlMigration, type Tx } from '@sealpost/postgres'
import type { RecordingTelemetry } from '@sealpost/telemetry'
import { atEnd } from './at-end.ts'
import { type FixedClock, fixedIds } from './fixed.ts'
import { openTables, type Tables } from './tables.ts'

/** A database with jobs and a table that their steps write into. */
export interface JobSite {
  readonly url: string
  readonly database: Database
  readonly clock: FixedClock
  readonly telemetry: RecordingTelemetry
  /** Another process, as far as jobs can tell: it has its own handlers, places and leases. */
  worker(options?: Partial<JobsOptions>): Jobs
  enqueue<Payload extends object, Cursor>(
    jobs: Jobs,
    kind: JobKind<Payload, Cursor>,
    job: NewJob<Payload> | readonly NewJob<Payload>[],
  ): Promise<void>
  /** For steps: an effect of the transaction. */
  note(tx: Tx, text: string): Promise<void>
  /** All effects that were committed, in the order of the writing. */
  notes(): Promise<readonly string[]>
  readonly query: Tables['run']
}

const migrations = joinMigrations(jobsMigrations, {
  '0999_note_create': sqlMigration(
    'create table public.note (no bigint generated always as identity, text text not null)',
  ),
})

/** Workers and database are closed when the file ends. */
export async function openJobSite(): Promise<JobSite> {
  const { url, database, clock, telemetry, run } = await openTables('jobs', migrations, { poolSize: 20 })
  const opened: Jobs[] = []
  atEnd(async () => void (await Promise.all(opened.map((jobs) => jobs.close()))))
  return {
    url,
    database,
    clock,
    telemetry,
    worker(options = {}) {
      const ids = fixedIds(clock, 100 + opened.length)
      const jobs = openJobs({ database, clock, ids, telemetry, ...options })
      opened.push(jobs)
      return jobs
    },
    enqueue: (jobs, kind, job) => database.transaction((tx) => jobs.enqueue(tx, kind, job)),
    async note(tx, text) {
      await runStatement(tx, 'insert into public.note (text) values ($1)', [text])
    },
    notes: async () =>
      (await run<{ text: string }>('select text from public.note order by no')).map(({ text }) => text),
    query: run,
  }
}
