import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ServicesNeeds } from './needs.ts'
import type { ServiceName } from './service.ts'
import { advanceJob, deleteJob, type Job, postponeJob, takeJob } from './store/jobs.ts'
import { deleteLogs } from './store/logs.ts'
import { deleteServiceRows } from './store/services.ts'

export interface JobNeeds extends Pick<ServicesNeeds, 'database' | 'clock' | 'log' | 'hooks' | 'steps'> {
  /** While true no job goes on. */
  readonly isPaused: () => Promise<boolean>
  /** Connections per transaction; 500 unless told. */
  readonly batchSize?: number
}

const BATCH_SIZE = 500
const LONGEST_WAIT_MS = 60_000

/**
 * Does what is due, one small transaction after the other, and resolves when nothing is. Each transaction does a step
 * and notes how far it came, so a process that dies loses nothing and another goes on. What fails is tried again later,
 * and never passed over.
 */
export async function advanceServiceJobs(needs: JobNeeds, isOver: () => boolean = () => false): Promise<void> {
  while (!isOver() && !(await needs.isPaused())) {
    if (!(await doStep(needs))) return
  }
}

/** False when nothing is due. */
async function doStep(needs: JobNeeds): Promise<boolean> {
  const taken: Job[] = []
  try {
    return await needs.database.transaction(async (tx) => {
      const job = await takeJob(tx, needs.clock.now())
      if (job === null) return false
      taken.push(job)
      await stepOf(needs, tx, job)
      return true
    })
  } catch (error) {
    const job = taken.at(-1)
    if (job === undefined) throw error
    await postpone(needs, job, error)
    return true
  }
}

function stepOf(needs: JobNeeds, tx: Tx, job: Job): Promise<void> {
  return job.rows === null ? endService(needs, tx, job) : removeRows(needs, tx, job, job.rows)
}

async function removeRows(needs: JobNeeds, tx: Tx, job: Job, rows: NonNullable<Job['rows']>): Promise<void> {
  const limit = needs.batchSize ?? BATCH_SIZE
  const { after, connections } = await needs.steps.dropRows(tx, nameOf(job), rows, job.cursor, limit)
  if (after === null) return deleteJob(tx, job)
  await advanceJob(tx, { ...job, cursor: after, done: job.done + connections }, needs.clock.now())
}

async function endService(needs: JobNeeds, tx: Tx, job: Job): Promise<void> {
  const limit = needs.batchSize ?? BATCH_SIZE
  const service = nameOf(job)
  const ended = await needs.steps.endConnections(tx, service, limit)
  const isLeft =
    ended > 0 ||
    (await needs.steps.endRequests(tx, service, limit)) === limit ||
    (await deleteLogs(tx, service, limit)) === limit
  if (isLeft) return advanceJob(tx, { ...job, done: job.done + ended }, needs.clock.now())
  for (const hook of needs.hooks.onServiceGone) await hook(tx, service)
  await deleteServiceRows(tx, service)
  await deleteJob(tx, job)
}

/** Of the service alone: what a job has besides is nobody else's business. */
function nameOf({ companyId, serviceId }: Job): ServiceName {
  return { companyId, serviceId }
}

async function postpone({ database, clock, log }: JobNeeds, job: Job, error: unknown): Promise<void> {
  const { companyId, serviceId, id, kind, attempts } = job
  log.error(
    { err: error, companyId, serviceId, jobId: id, kind, attempts: attempts + 1 },
    'a job of a service could not go on; it is tried again soon',
  )
  const waitMs = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** Math.min(attempts, 10))
  await database.transaction((tx) => postponeJob(tx, job, instant(clock.now() + waitMs)))
}

const LOOK_EVERY_MS = 1000

/** Part of the worker role; several workers share the jobs. Resolves, on `close`, when the step under way is done. */
export function startServiceJobs(needs: JobNeeds): { close(): Promise<void> } {
  let current: Promise<void> | null = null
  let isClosed = false
  const timer = setInterval(() => {
    current ??= advanceServiceJobs(needs, () => isClosed)
      .catch((error: unknown) => {
        needs.log.warn({ err: error }, 'jobs of services could not be looked at; it is tried again soon')
      })
      .finally(() => {
        current = null
      })
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await current
    },
  }
}
