import type { UserId } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { recordAudit } from '../../../account/index.ts'
import { deleteRunCopies } from '../../../documents/index.ts'
import { deleteUnpinned } from '../../../flows/index.ts'
import { deleteEvidence } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import type { StoredRun } from '../model.ts'
import { deleteRunRow } from '../store/runs.ts'
import { lockForAct } from './lock-run.ts'
import { deleteData } from './run-hooks.ts'

/** Of a deleted service, with its documents. The other participants keep their copies. */
export async function deleteRun(context: ServiceSideContext, actorId: UserId, name: StoredRun): Promise<void> {
  const { companyId, serviceId, id: runId } = name
  await context.database.transaction(async (tx) => {
    await deleteEvidence(context.services, tx, { companyId, serviceId }, async () => {
      const locked = await lockForAct(tx, name, null)
      if (locked === null) throw refuse('flows.run_not_found')
      // The service has no feed, so the events are not appended.
      if (locked.run.dataDeletedAt === null) await deleteData(context, tx, locked.run)
      await deleteRunCopies(context.documents.service, tx, { serviceId, runId })
      await deleteRunRow(tx, locked.run)
      await deleteUnpinned(tx, name)
    })
    const at = context.clock.now()
    await recordAudit(tx, { companyId, actorId, action: 'portal_runs.delete', ref: runId, serviceId, at })
  })
}
