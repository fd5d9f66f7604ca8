import { type JobKind, type Jobs, type JobsOptions, jobsMigrations, type NewJob, openJobs } from '@sealpost/jobs'
import { type Database, joinMigrations, openDatabase, runStatement, sqlMigration, type Tx } from '@sealpost/postgres'
import { type RecordingTelemetry, recordingTelemetry } from '@sealpost/telemetry'
import { createTestDatabase } from './databases.ts'
import { type FixedClock, fixedClock, fixedIds } from './fixed.ts'

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
  query<Row extends Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>
  close(): Promise<void>
}

const migrations = joinMigrations(jobsMigrations, {
  '0999_note_create': sqlMigration(
    'create table public.note (no bigint generated always as identity, text text not null)',
  ),
})

export async function openJobSite(): Promise<JobSite> {
  const place = await createTestDatabase({ template: 'jobs', migrations })
  const database = openDatabase({ url: place.url, poolSize: 20 })
  const clock = fixedClock()
  const telemetry = recordingTelemetry()
  const opened: Jobs[] = []
  return {
    url: place.url,
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
    async notes() {
      const rows = await database.read((read) =>
        runStatement<{ text: string }>(read, 'select text from public.note order by no', []),
      )
      return rows.map(({ text }) => text)
    },
    query: (sql, values = []) => database.transaction((tx) => runStatement(tx, sql, values)),
    async close() {
      await Promise.all(opened.map((jobs) => jobs.close()))
      await database.close()
      await place.drop()
    },
  }
}
