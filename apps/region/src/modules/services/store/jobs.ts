import type { Instant } from '@sealpost/kernel'
import { type Read, runStatement, type Tx } from '@sealpost/postgres'
import type { Job, Progress, ServiceName } from '../model.ts'

const JOB = `company_id as "companyId", service_id as "serviceId", id, kind, rows, cursor, done, total, attempts`

export async function insertJob(tx: Tx, job: Job, dueAt: Instant): Promise<void> {
  await runStatement(
    tx,
    `insert into services.job (company_id, service_id, id, kind, rows, cursor, done, total, attempts, due_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0))`,
    [
      job.companyId,
      job.serviceId,
      job.id,
      job.kind,
      job.rows === null ? null : JSON.stringify(job.rows),
      job.cursor,
      job.done,
      job.total,
      job.attempts,
      dueAt,
    ],
  )
}

/** FOR UPDATE SKIP LOCKED: the due job that waited longest, across companies. Other workers skip it meanwhile. */
export async function takeJob(tx: Tx, now: Instant): Promise<Job | null> {
  const [row] = await runStatement<Job & Record<string, unknown>>(
    tx,
    `select ${JOB} from services.job where due_at <= to_timestamp($1 / 1000.0)
    order by due_at, id limit 1 for update skip locked`,
    [now],
  )
  return row ?? null
}

/** `dueAt` is now: jobs that have been due for longer come first. */
export async function advanceJob(
  tx: Tx,
  { companyId, serviceId, id, cursor, done }: Pick<Job, 'companyId' | 'serviceId' | 'id' | 'cursor' | 'done'>,
  dueAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `update services.job set cursor = $4, done = $5, attempts = 0, due_at = to_timestamp($6 / 1000.0)
    where company_id = $1 and service_id = $2 and id = $3`,
    [companyId, serviceId, id, cursor, done, dueAt],
  )
}

export async function postponeJob(
  tx: Tx,
  { companyId, serviceId, id }: Pick<Job, 'companyId' | 'serviceId' | 'id'>,
  dueAt: Instant,
): Promise<void> {
  await runStatement(
    tx,
    `update services.job set attempts = attempts + 1, due_at = to_timestamp($4 / 1000.0)
    where company_id = $1 and service_id = $2 and id = $3`,
    [companyId, serviceId, id, dueAt],
  )
}

export async function deleteJob(
  tx: Tx,
  { companyId, serviceId, id }: Pick<Job, 'companyId' | 'serviceId' | 'id'>,
): Promise<void> {
  const sql = 'delete from services.job where company_id = $1 and service_id = $2 and id = $3'
  await runStatement(tx, sql, [companyId, serviceId, id])
}

/** Part of the deletion of a service. */
export async function deleteJobs(tx: Tx, { companyId, serviceId }: ServiceName): Promise<void> {
  await runStatement(tx, 'delete from services.job where company_id = $1 and service_id = $2', [companyId, serviceId])
}

/** The progress of the removal of rows, per service; absent where no row is being removed. */
export async function readProgress(
  read: Read,
  companyId: string,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, Progress>> {
  const rows = await runStatement<{ serviceId: string; done: number; total: number }>(
    read,
    `select service_id as "serviceId", sum(done)::integer as done, sum(total)::integer as total
    from services.job where company_id = $1 and service_id = any($2::uuid[]) and kind = 'remove_rows'
    group by service_id`,
    [companyId, serviceIds],
  )
  return new Map(rows.map(({ serviceId, done, total }) => [serviceId, { done, total }]))
}
