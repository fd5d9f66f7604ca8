import type { BindRoute } from '../../../../bind.ts'
import type { ServiceSideNeeds } from '../needs.ts'
import { bindConnectionDataRoutes } from './connections.ts'
import { bindFileRoute } from './file.ts'
import { bindKeyRoutes } from './keys.ts'
import { bindRequestRoutes } from './requests.ts'
import { bindServiceConnectionRoutes } from './service.ts'

export function bindServiceSideRoutes(bind: BindRoute, needs: ServiceSideNeeds): void {
  bindConnectionDataRoutes(bind, needs)
  bindFileRoute(bind, needs)
  bindRequestRoutes(bind, needs)
  bindServiceConnectionRoutes(bind, needs)
  bindKeyRoutes(bind, needs)
}
