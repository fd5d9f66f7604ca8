import { deletePortalRun, listPortalRuns, readPortalRun } from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { Caller } from '../../../../platform/caller.ts'
import { nameOfService, requireDeleted, requireReadable } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { deleteRun } from '../operations/delete-run.ts'
import { listRuns, locateRun, readRun } from '../operations/read-runs.ts'

interface RunQuestion {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly runId: string }
}

/** For the company and its delegates: the runs of all flows, also of a deleted service. */
export function bindPortalRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: listPortalRuns,
    locate: ({ caller, params }) => requireReadable(context.services, caller, params.id),
    handle: ({ located, query }) => listRuns(context, nameOfService(located), null, query),
  })
  bind({
    operation: readPortalRun,
    async locate({ caller, params }: RunQuestion) {
      return locateRun(context, nameOfService(await requireReadable(context.services, caller, params.id)), params.runId)
    },
    handle: ({ located }) => readRun(context, located),
  })
  bind({
    operation: deletePortalRun,
    async locate({ caller, params }: RunQuestion) {
      return locateRun(context, nameOfService(await requireDeleted(context.services, caller, params.id)), params.runId)
    },
    async handle({ caller, located }): Promise<undefined> {
      await deleteRun(context, caller.userId, located)
    },
  })
}
