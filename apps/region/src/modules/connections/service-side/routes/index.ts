import type { BindRoute } from '../../../../bind.ts'
import { bindConnectionDataRoutes } from './connections.ts'
import { bindFileRoute } from './file.ts'
import { bindKeyRoutes } from './keys.ts'
import { bindRequestRoutes } from './requests.ts'
import { bindServiceConnectionRoutes, type ServiceRouteNeeds } from './service.ts'

export function bindServiceSideRoutes(bind: BindRoute, needs: ServiceRouteNeeds): void {
  bindConnectionDataRoutes(bind, needs)
  bindFileRoute(bind, needs)
  bindRequestRoutes(bind, needs)
  bindServiceConnectionRoutes(bind, needs)
  bindKeyRoutes(bind, needs)
}
