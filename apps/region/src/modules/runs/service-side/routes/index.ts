import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { ServiceSideContext } from '../context.ts'
import { bindDataRoutes } from './data.ts'
import { bindManagerRoutes } from './managers.ts'
import { bindPortalRoutes } from './portal.ts'

export function bindRunRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bindDataRoutes(bind, context)
  bindManagerRoutes(bind, context)
  bindPortalRoutes(bind, context)
}
