import { listAudit as listAuditRoute } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { AccountContext } from '../context.ts'
import { listAudit } from '../operations/list-audit.ts'

export function bindAuditRoutes(bind: BindRoute, account: AccountContext): void {
  bind({
    operation: listAuditRoute,
    handle: ({ caller: { accountId }, query }) => listAudit(account, accountId, query),
  })
}
