import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { ServiceSideContext } from '../context.ts'
import { bindConnectionDataRoutes, bindConnectRequestRoute } from './connections.ts'
import { bindFileRoute } from './file.ts'
import { bindKeyRoutes } from './keys.ts'
import { bindServiceConnectionRoutes } from './service.ts'

export function bindServiceSideRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bindConnectionDataRoutes(bind, context)
  bindFileRoute(bind, context)
  bindConnectRequestRoute(bind, context)
  bindServiceConnectionRoutes(bind, context)
  bindKeyRoutes(bind, context)
}
