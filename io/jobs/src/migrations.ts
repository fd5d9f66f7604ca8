import { type MigrationSet, sqlMigration } from '@sealpost/postgres'

export const jobsMigrations: MigrationSet = {
  '0060_jobs_create': sqlMigration(`
    create schema jobs;

    -- A row until the job is done. Rows come and go fast: vacuum follows the number of dead rows, not the size of the table.
    create table jobs.job (
      id uuid primary key,
      -- Of two jobs with the same key the lower one is first.
      no bigint generated always as identity,
      queue text not null,
      kind text not null,
      tenant_id uuid not null,
      key text,
      -- delayed: not due yet. blocked: an earlier job of its key is not done. dead: waits for an operator.
      state text not null check (state in ('delayed', 'waiting', 'running', 'blocked', 'dead')),
      payload jsonb not null,
      cursor jsonb,
      done bigint not null default 0,
      total bigint,
      attempts integer not null default 0,
      enqueued_at timestamptz not null,
      due_at timestamptz not null,
      -- The fencing token, raised by every claim: what a worker writes counts only while it is the worker's own.
      lease bigint not null default 0,
      lease_until timestamptz,
      worker text,
      failed_at timestamptz,
      error text,
      check ((state = 'running') = (lease_until is not null))
    ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
    create index job_waiting on jobs.job (queue, tenant_id, due_at, no) where state = 'waiting';
    create index job_delayed on jobs.job (due_at) where state = 'delayed';
    create index job_running on jobs.job (queue) where state = 'running';
    create index job_dead on jobs.job (failed_at) where state = 'dead';
    create index job_key on jobs.job (queue, key, no) where key is not null;
  `),
}
