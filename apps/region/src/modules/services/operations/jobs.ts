import { type JobKind, type JobQueue, type Jobs, type StepOutcome, UNTIL_DONE } from '@sealpost/jobs'
import type { ConnectionId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import type { ServicesContext } from '../context.ts'
import type { RequestRow, ServiceName } from '../model.ts'
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
/** Ends the connections of a service that is no longer found, then deletes it. What is left is its own cursor. */
export const deleteServiceJob: JobKind<ServiceName, null> = {
  name: 'services.delete',
  queue: serviceJobs,
  ...UNTIL_DONE,
}

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
  jobs.handle(deleteServiceJob, {
    step: (tx, { payload, done }) => endService(services, tx, payload, done, batchSize),
  })
}

async function endService(
  { hooks }: ServicesContext,
  tx: Tx,
  service: ServiceName,
  done: number,
  limit: number,
): Promise<StepOutcome<null>> {
  const ended = await hooks.endConnections(tx, service, limit)
  const hasMore =
    ended > 0 ||
    (await hooks.endRequests(tx, service, limit)) === limit ||
    (await hooks.deleteDocuments(tx, service, limit)) === limit ||
    (await deleteLogs(tx, service, limit)) === limit
  if (hasMore) return { next: 'more', cursor: null, done: done + ended }
  for (const hook of hooks.onServiceGone) await hook(tx, service)
  await deleteServiceRows(tx, service)
  return { next: 'done' }
}
