import {
  changeFlow as changeFlowRoute,
  createFlow as createFlowRoute,
  deleteFlow as deleteFlowRoute,
  listFlows as listFlowsRoute,
  listFlowVersions,
  publishFlow as publishFlowRoute,
  readFlow as readFlowRoute,
  validateFlow as validateFlowRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { FlowsContext } from '../context.ts'
import { deleteFlow } from '../operations/delete-flow.ts'
import { changeFlow, createFlow, listFlows, readFlow } from '../operations/drafts.ts'
import { listVersions } from '../operations/list-versions.ts'
import { locateFlow, locateService } from '../operations/locate-flow.ts'
import { publishFlow, validateFlow } from '../operations/publish-flow.ts'

interface Question {
  readonly caller: Caller
  readonly params: { readonly id: string; readonly flowId: string }
}

export function bindAuthoringRoutes(bind: BindRoute, context: FlowsContext): void {
  const locate = ({ caller, params }: Question) => locateFlow(context, caller, params)
  bindListRoutes(bind, context)
  bind({ operation: readFlowRoute, locate, handle: ({ located }) => readFlow(context, located) })
  bind({
    operation: changeFlowRoute,
    locate,
    handle: ({ located, body }) => changeFlow(context, located, body),
  })
  bind({
    operation: deleteFlowRoute,
    locate,
    async handle({ caller, located }) {
      await deleteFlow(context, located, caller)
      return undefined
    },
  })
  bind({ operation: validateFlowRoute, locate, handle: ({ located }) => validateFlow(context, located) })
  bind({
    operation: publishFlowRoute,
    locate,
    handle: ({ caller, located, body }) => publishFlow(context, located, caller, body),
  })
  bind({
    operation: listFlowVersions,
    locate,
    handle: ({ located, query }) => listVersions(context, located, query),
  })
}

function bindListRoutes(bind: BindRoute, context: FlowsContext): void {
  bind({
    operation: listFlowsRoute,
    locate: ({ caller, params }) => locateService(context, caller, params.id),
    handle: ({ located, query }) => listFlows(context, located, query),
  })
  bind({
    operation: createFlowRoute,
    locate: ({ caller, params }) => locateService(context, caller, params.id),
    handle: ({ caller, located, body }) => createFlow(context, located, caller, body),
  })
}
