import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { startLoop } from '@sealpost/process'
import type { Closable } from '../../../platform/module.ts'
import type { ServicesContext } from '../context.ts'
import type { Job, RequestRow, ServiceName } from '../model.ts'
import { advanceJob, deleteJob, postponeJob, takeJob } from '../store/jobs.ts'
import { deleteLogs } from '../store/logs.ts'
import { deleteServiceRows } from '../store/services.ts'

export interface JobOptions {
  /** Connections per transaction. */
  readonly batchSize?: number
  /** Asked before each step. */
  readonly isOver?: (() => boolean) | undefined
}

const BATCH_SIZE = 500
const LONGEST_WAIT_MS = 60_000

/**
 * Runs due jobs, one small transaction per step, and resolves when none is due. Each transaction stores the progress of
 * its step, so another process continues a job whose process died. A failed step is tried again later and never skipped.
 */
export async function advanceServiceJobs(
  services: ServicesContext,
  { batchSize = BATCH_SIZE, isOver = () => false }: JobOptions = {},
): Promise<void> {
  while (!isOver() && !(await services.isPaused())) {
    if (!(await runStep(services, batchSize))) return
  }
}

/** False when no job is due. */
async function runStep(services: ServicesContext, limit: number): Promise<boolean> {
  const taken: Job[] = []
  try {
    return await services.database.transaction(async (tx) => {
      const job = await takeJob(tx, services.clock.now())
      if (job === null) return false
      taken.push(job)
      await (job.rows === null ? endService(services, tx, job, limit) : removeRows(services, tx, job, job.rows, limit))
      return true
    })
  } catch (error) {
    const job = taken.at(-1)
    if (job === undefined) throw error
    await postpone(services, job, error)
    return true
  }
}

async function removeRows(
  { hooks, clock }: ServicesContext,
  tx: Tx,
  job: Job,
  rows: readonly RequestRow[],
  limit: number,
): Promise<void> {
  const { after, connections } = await hooks.deleteSlotsOfRows(tx, serviceOf(job), rows, job.cursor, limit)
  if (after === null) return deleteJob(tx, job)
  await advanceJob(tx, { ...job, cursor: after, done: job.done + connections }, clock.now())
}

async function endService({ hooks, clock }: ServicesContext, tx: Tx, job: Job, limit: number): Promise<void> {
  const service = serviceOf(job)
  const ended = await hooks.endConnections(tx, service, limit)
  const hasMore =
    ended > 0 ||
    (await hooks.endRequests(tx, service, limit)) === limit ||
    (await deleteLogs(tx, service, limit)) === limit
  if (hasMore) return advanceJob(tx, { ...job, done: job.done + ended }, clock.now())
  for (const hook of hooks.onServiceGone) await hook(tx, service)
  await deleteServiceRows(tx, service)
  await deleteJob(tx, job)
}

/** Only the name: hooks must not get the other members of the job. */
function serviceOf({ companyId, serviceId }: Job): ServiceName {
  return { companyId, serviceId }
}

async function postpone({ database, clock, log }: ServicesContext, job: Job, error: unknown): Promise<void> {
  const { companyId, serviceId, id, kind, attempts } = job
  log.error(
    { err: error, companyId, serviceId, jobId: id, kind, attempts: attempts + 1 },
    'a step of a service job failed; it is tried again soon',
  )
  const waitMs = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** Math.min(attempts, 10))
  await database.transaction((tx) => postponeJob(tx, job, instant(clock.now() + waitMs)))
}

const POLL_EVERY_MS = 1000

/** Part of the worker role; several workers share the jobs. `close` resolves when the current step has ended. */
export function startServiceJobs(services: ServicesContext, options: Pick<JobOptions, 'batchSize'> = {}): Closable {
  return startLoop({
    name: 'advancing the jobs of services',
    log: services.log,
    everyMs: POLL_EVERY_MS,
    firstAfterMs: POLL_EVERY_MS,
    work: (closing) => advanceServiceJobs(services, { ...options, isOver: () => closing.aborted }),
  })
}
