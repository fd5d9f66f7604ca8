import type { BindRoute } from '../../../../platform/bind-route.ts'
import type { CustomerContext } from '../context.ts'
import { bindConnecting, bindConnections } from './connections.ts'
import { bindConsents } from './consents.ts'
import { bindRequests } from './requests.ts'

export function bindCustomerRoutes(bind: BindRoute, context: CustomerContext): void {
  bindConnecting(bind, context)
  bindConnections(bind, context)
  bindConsents(bind, context)
  bindRequests(bind, context)
}
