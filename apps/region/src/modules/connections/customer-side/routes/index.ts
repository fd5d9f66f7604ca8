import type { BindRoute } from '../../../../bind.ts'
import type { CustomerNeeds } from '../needs.ts'
import { bindConnecting, bindConnections } from './connections.ts'
import { bindConsents } from './consents.ts'
import { bindRequests } from './requests.ts'

export function bindCustomerRoutes(bind: BindRoute, needs: CustomerNeeds): void {
  bindConnecting(bind, needs)
  bindConnections(bind, needs)
  bindConsents(bind, needs)
  bindRequests(bind, needs)
}
