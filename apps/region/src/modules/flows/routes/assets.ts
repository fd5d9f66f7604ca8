import { addFlowAsset, deleteFlowAsset, listFlowAssets, readTemplateTags } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { FlowsContext } from '../context.ts'
import { addAsset, deleteAsset, listAssets } from '../operations/assets.ts'
import { locateFlow } from '../operations/locate-flow.ts'
import { readTags } from '../operations/scan-template.ts'

export function bindAssetRoutes(bind: BindRoute, context: FlowsContext): void {
  bind({
    operation: addFlowAsset,
    locate: ({ caller, params }) => locateFlow(context, caller, params),
    handle: ({ located, body }) => addAsset(context, located, body),
  })
  bind({
    operation: listFlowAssets,
    locate: ({ caller, params }) => locateFlow(context, caller, params),
    handle: ({ located, query }) => listAssets(context, located, query),
  })
  bind({
    operation: readTemplateTags,
    locate: ({ caller, params }) => locateFlow(context, caller, params),
    handle: ({ located, params }) => readTags(context, located, params.key),
  })
  bind({
    operation: deleteFlowAsset,
    locate: ({ caller, params }) => locateFlow(context, caller, params),
    async handle({ located, params }) {
      await deleteAsset(context, located, params.key)
      return undefined
    },
  })
}
