import type { BindRoute } from '../../../platform/bind-route.ts'
import type { AccountContext } from '../context.ts'
import { bindKeyRoutes, bindProfileRoutes } from './account.ts'
import { bindAuditRoutes } from './audit.ts'
import { bindDelegateRoutes } from './delegates.ts'
import { bindRecoverRoutes, bindRecoveryRoutes } from './recovery.ts'

export function bindAccountRoutes(bind: BindRoute, account: AccountContext): void {
  bindProfileRoutes(bind, account)
  bindKeyRoutes(bind, account)
  bindRecoveryRoutes(bind, account)
  bindRecoverRoutes(bind, account)
  bindDelegateRoutes(bind, account)
  bindAuditRoutes(bind, account)
}
