import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { ServiceSideContext } from '../context.ts'
import { bindAssetRoutes } from './assets.ts'
import { bindAuthoringRoutes } from './authoring.ts'
import { bindExchangeRoutes } from './exchange.ts'
import { bindPublishedRoutes } from './published.ts'

export function bindServiceSideRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bindAuthoringRoutes(bind, context)
  bindAssetRoutes(bind, context)
  bindExchangeRoutes(bind, context)
  bindPublishedRoutes(bind, context)
}
