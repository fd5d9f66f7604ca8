import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { ServiceSideContext } from '../context.ts'
import { bindDataRoutes } from './data.ts'
import { bindPortalRoutes } from './portal.ts'

export function bindServiceSideRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bindDataRoutes(bind, context)
  bindPortalRoutes(bind, context)
}
