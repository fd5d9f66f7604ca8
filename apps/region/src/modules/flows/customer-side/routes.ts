import type { BindRoute } from '../../../platform/bind-route.ts'
import type { CustomerContext } from './context.ts'

export function bindCustomerRoutes(_bind: BindRoute, _context: CustomerContext): void {}
