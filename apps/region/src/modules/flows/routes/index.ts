import type { BindRoute } from '../../../platform/bind-route.ts'
import type { FlowsContext } from '../context.ts'
import { bindAssetRoutes } from './assets.ts'
import { bindAuthoringRoutes } from './authoring.ts'
import { bindExchangeRoutes } from './exchange.ts'
import { bindPublishedRoutes } from './published.ts'

export function bindFlowRoutes(bind: BindRoute, context: FlowsContext): void {
  bindAuthoringRoutes(bind, context)
  bindAssetRoutes(bind, context)
  bindExchangeRoutes(bind, context)
  bindPublishedRoutes(bind, context)
}
