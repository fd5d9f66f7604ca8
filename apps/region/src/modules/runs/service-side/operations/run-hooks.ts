import { instant } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { removeAll } from '../../../../platform/remove-all.ts'
import { deleteFlowFilesOf, type EndedConnection, forgetRunCopies } from '../../../connections/index.ts'
import { appendEvents, type NewEvent } from '../../../feed/index.ts'
import type { ServiceName } from '../../../services/index.ts'
import { discardObjects } from '../../../vault/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { RunName, StoredRun } from '../model.ts'
import { isClosed } from '../rules/status.ts'
import { deleteAnswers } from '../store/answers.ts'
import { deleteFilesOf, deleteSources, deleteUnusedFiles, deleteUnusedSources } from '../store/files.ts'
import {
  deleteRunRow,
  isDeletionDue,
  listDueRuns,
  listOpenOf,
  listSomeRuns,
  listSomeWithData,
  lockRun,
  markErased,
} from '../store/runs.ts'
import { recordCancel } from './cancel-run.ts'
import { lockForAct } from './lock-run.ts'
import { recordRun } from './record-run.ts'

const DAY_MS = 24 * 3_600_000
const AT_ONCE = 200

/** In the transaction that ends a connection, which it has locked: the open runs that it takes part in are cancelled. */
export async function cancelRunsOf(
  context: ServiceSideContext,
  tx: Tx,
  { connection, by, isErased }: EndedConnection,
): Promise<readonly NewEvent[]> {
  const { serviceId, id, companyId, customerId } = connection
  if (isErased) await markErased(tx, serviceId, id)
  const events: NewEvent[] = []
  for (const runId of await listOpenOf(tx, serviceId, id)) {
    const run = await lockRun(tx, { serviceId, id: runId })
    if (run === null || isClosed(run)) continue
    const userId = by === 'service' ? companyId : customerId
    const party = run.parties.find((one) => one.userId === userId)
    const reason = isErased ? 'account_deleted' : 'connection_ended'
    const cancelled = await recordCancel(context, tx, run, { by: party?.partyKey ?? 'system', reason })
    events.push(...cancelled.events)
  }
  return events
}

/** Chore: runs whose data is due. An open one is cancelled first. */
export async function deleteDueData(context: ServiceSideContext): Promise<void> {
  const { database, clock } = context
  await removeAll(AT_ONCE, async (limit) => {
    const now = clock.now()
    const due = await database.read((read) => listDueRuns(read, now, limit))
    for (const { companyId, ...name } of due)
      await database.transaction(async (tx) => {
        const locked = await lockForAct(tx, name, null)
        if (locked === null || !(await isDeletionDue(tx, companyId, now))) return
        await appendEvents(context, tx, await deleteData(context, tx, locked.run))
      })
    return due.length
  })
}

/** Requires the lock. The run, its participants and documents stay. */
export async function deleteData(context: ServiceSideContext, tx: Tx, run: StoredRun): Promise<readonly NewEvent[]> {
  const cancelled = isClosed(run)
    ? { after: run, events: [] }
    : await recordCancel(context, tx, run, { by: 'system', reason: 'data_deleted' })
  const at = context.clock.now()
  await removeContent(context, tx, run)
  const after = { ...cancelled.after, tagValues: null, dataDeletedAt: at, updatedAt: at, rev: cancelled.after.rev + 1 }
  const events = await recordRun(context, tx, { before: cancelled.after, after })
  return [...cancelled.events, ...events]
}

async function removeContent({ clock }: ServiceSideContext, tx: Tx, name: RunName): Promise<void> {
  await deleteAnswers(tx, name)
  await discardObjects(tx, await deleteFilesOf(tx, name), clock.now())
  await deleteSources(tx, name)
  await deleteFlowFilesOf(tx, name.serviceId, name.id)
  await forgetRunCopies(tx, name.serviceId, name.id)
}

/**
 * One step of the deletion of a service, whose connections have ended: deletes the data of runs, and the runs unless the
 * company keeps them. Answers how many it changed.
 */
export async function deleteRunsOfService(
  context: ServiceSideContext,
  tx: Tx,
  service: ServiceName,
  keepsEvidence: boolean,
  limit: number,
): Promise<number> {
  const { serviceId } = service
  const ids = await (keepsEvidence ? listSomeWithData : listSomeRuns)(tx, service, limit)
  for (const id of ids) {
    const run = await lockRun(tx, { serviceId, id })
    if (run === null) continue
    if (run.dataDeletedAt === null) await deleteData(context, tx, run)
    if (!keepsEvidence) await deleteRunRow(tx, run)
  }
  return ids.length
}

/** Chore: uploads and staged copies that nothing used within a day. */
export async function tidyRunFiles({ database, clock }: ServiceSideContext): Promise<void> {
  const before = instant(clock.now() - DAY_MS)
  await removeAll(AT_ONCE, (limit) =>
    database.transaction(async (tx) => {
      const keys = await deleteUnusedFiles(tx, before, limit)
      await discardObjects(tx, keys, clock.now())
      return keys.length
    }),
  )
  await removeAll(AT_ONCE, (limit) => database.transaction((tx) => deleteUnusedSources(tx, before, limit)))
}
