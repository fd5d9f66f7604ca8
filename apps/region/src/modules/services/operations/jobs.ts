import { type Job, type JobKind, type JobQueue, type Jobs, type StepOutcome, UNTIL_DONE } from '@sealpost/jobs'
import type { ConnectionId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { deleteRecoveryCopies, lockAccountForShare } from '../../account/index.ts'
import type { ServicesContext } from '../context.ts'
import type { RequestRow, ServiceName } from '../model.ts'
import { forgetDeletedService, keepService, lockDeletedService } from '../store/deleted.ts'
import { deleteLogs } from '../store/logs.ts'
import { deleteServiceRows } from '../store/services.ts'

/** The key of a job is the id of its service: the removals of rows of one service run in the order of the publications. */
export const serviceJobs: JobQueue = { name: 'services', concurrency: 4, perTenant: 2 }

/** Deletes the contents of rows, as they were published, in all connections. The cursor is the last one that is done. */
export const removeRowsJob: JobKind<ServiceName & { readonly rows: readonly RequestRow[] }, ConnectionId> = {
  name: 'services.remove_rows',
  queue: serviceJobs,
  ...UNTIL_DONE,
}
/**
 * Ends the connections of a service that is no longer found, then deletes what the company does not keep of it, and all of
 * it once the account of the company is erased. The cursor is the last document that was looked at.
 */
export const endServiceJob: JobKind<ServiceName, string | null> = {
  name: 'services.end',
  queue: serviceJobs,
  ...UNTIL_DONE,
}
/** The name before a company kept its evidence: workers of that release, which delete it, leave the new kind alone. */
const deleteServiceJob: JobKind<ServiceName, string | null> = { ...endServiceJob, name: 'services.delete' }

/** Connections per transaction. */
const BATCH_SIZE = 500

export function handleServiceJobs(services: ServicesContext, jobs: Jobs, batchSize = BATCH_SIZE): void {
  jobs.handle(removeRowsJob, {
    async step(tx, { payload: { rows, ...service }, cursor, done }) {
      const page = await services.hooks.deleteSlotsOfRows(tx, service, rows, cursor, batchSize)
      return page.after === null
        ? { next: 'done' }
        : { next: 'more', cursor: page.after, done: done + page.connections }
    },
  })
  for (const kind of [endServiceJob, deleteServiceJob])
    jobs.handle(kind, { step: (tx, job) => endService(services, tx, job, batchSize) })
}

async function endService(
  { hooks, clock }: ServicesContext,
  tx: Tx,
  { payload: service, cursor, done }: Job<ServiceName, string | null>,
  limit: number,
): Promise<StepOutcome<string | null>> {
  const keepsEvidence = await lockAccountForShare(tx, service.companyId)
  // A release that kept none made no copy.
  if (keepsEvidence) await keepService(tx, service, clock.now())
  await lockDeletedService(tx, service)
  const ended = await hooks.endConnections(tx, service, limit)
  if (ended > 0 || (await hooks.endRequests(tx, service, limit)) === limit)
    return { next: 'more', cursor, done: done + ended }
  const contents = await hooks.deleteContents(tx, service, { after: cursor, keepsEvidence }, limit)
  if (!contents.isDone || (await deleteLogs(tx, service, limit)) === limit)
    return { next: 'more', cursor: contents.after, done }
  for (const hook of hooks.onServiceGone) await hook(tx, service)
  if (!(await hooks.hasEvidence(tx, service))) await forgetService(tx, service)
  await deleteServiceRows(tx, service)
  return { next: 'done' }
}

/** The company keeps nothing of the service, so its key opens nothing any more. */
export async function forgetService(tx: Tx, service: ServiceName): Promise<void> {
  await forgetDeletedService(tx, service)
  await deleteRecoveryCopies(tx, service.companyId, service.serviceId)
}
