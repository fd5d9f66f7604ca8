import { refuse } from '@sealpost/protocol'
import { recordAudit } from '../../account/index.ts'
import { logService } from '../../services/index.ts'
import { discardObjects } from '../../vault/index.ts'
import type { FlowsContext } from '../context.ts'
import type { FlowName } from '../model.ts'
import { deleteAssetsOfFlow } from '../store/assets.ts'
import { archiveFlow, deleteFlowRow, lockFlow } from '../store/flows.ts'
import type { Author } from './drafts.ts'
import { releasePlugins } from './take-plugins.ts'

/** A flow with versions is only hidden: runs in progress read the version that they pinned. */
export async function deleteFlow(context: FlowsContext, flow: FlowName, { userId }: Author): Promise<void> {
  const { database, clock } = context
  await database.transaction(async (tx) => {
    const draft = await lockFlow(tx, flow)
    if (draft === null) throw refuse('flows.not_found')
    const at = clock.now()
    if (draft.publishedVersion === null) {
      await discardObjects(tx, await deleteAssetsOfFlow(tx, flow), at)
      await deleteFlowRow(tx, flow)
    } else await archiveFlow(tx, flow, at)
    await releasePlugins(tx, flow)
    const { companyId, serviceId, flowId } = flow
    await recordAudit(tx, { companyId, actorId: userId, action: 'flows.delete', ref: flowId, serviceId, at })
    const metadata = { action: 'flows.delete', actor_id: userId, flow_id: flowId }
    await logService(context, tx, flow, { type: 'config', message: `The flow ${draft.name} was deleted`, metadata })
  })
}
