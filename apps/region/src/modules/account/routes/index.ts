import type { BindRoute } from '../../../bind.ts'
import type { DelegateNeeds } from '../delegates.ts'
import type { RecoveryNeeds } from '../recovery.ts'
import { bindKeyRoutes, bindProfileRoutes } from './account.ts'
import { bindAuditRoutes } from './audit.ts'
import { bindDelegateRoutes } from './delegates.ts'
import { bindRecoverRoutes, bindRecoveryRoutes } from './recovery.ts'

export type AccountRouteNeeds = DelegateNeeds & RecoveryNeeds

export function bindAccountRoutes(bind: BindRoute, needs: AccountRouteNeeds): void {
  bindProfileRoutes(bind, needs)
  bindKeyRoutes(bind, needs)
  bindRecoveryRoutes(bind, needs)
  bindRecoverRoutes(bind, needs)
  bindDelegateRoutes(bind, needs)
  bindAuditRoutes(bind, needs)
}
