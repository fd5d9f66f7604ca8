import { answer } from '@sealpost/http'
import { exportFlow as exportFlowRoute, importFlow as importFlowRoute } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { FlowsContext } from '../context.ts'
import { exportFlow } from '../operations/export-flow.ts'
import { importFlow } from '../operations/import-flow.ts'
import { locateFlow, locateService } from '../operations/locate-flow.ts'

export function bindExchangeRoutes(bind: BindRoute, context: FlowsContext): void {
  bind({
    operation: exportFlowRoute,
    locate: ({ caller, params }) => locateFlow(context, caller, params),
    async handle({ caller, located }) {
      const onClosed = context.downloads.begin(caller)
      try {
        const archive = Buffer.from(await exportFlow(context, located))
        const headers = { 'content-disposition': `attachment; filename="flow-${located.flowId}.zip"` }
        return answer(archive, { headers, onClosed })
      } catch (error) {
        onClosed()
        throw error
      }
    },
  })
  bind({
    operation: importFlowRoute,
    locate: ({ caller, params }) => locateService(context, caller, params.id),
    handle: ({ caller, located, body }) => importFlow(context, located, caller, body),
  })
}
