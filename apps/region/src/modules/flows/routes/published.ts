import { readPublishedFlow, readPublishedFlowOfService } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { ownServiceOf } from '../../services/index.ts'
import type { FlowsContext } from '../context.ts'
import { locateFlow } from '../operations/locate-flow.ts'
import { parseFlowName, readPublishedForRun } from '../operations/read-published.ts'

export function bindPublishedRoutes(bind: BindRoute, context: FlowsContext): void {
  bind({
    operation: readPublishedFlow,
    locate: ({ caller, params }) => Promise.resolve(parseFlowName(ownServiceOf(caller), params.flowId)),
    handle: ({ located }) => readPublishedForRun(context, located),
  })
  bind({
    operation: readPublishedFlowOfService,
    locate: ({ caller, params }) => locateFlow(context, caller, params),
    handle: ({ located }) => readPublishedForRun(context, located),
  })
}
