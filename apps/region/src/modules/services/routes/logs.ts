import { listLogs as listLogsOperation, listOwnLogs } from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import { listLogs } from '../logs.ts'
import type { ServicesNeeds } from '../needs.ts'
import { nameOf, openService, ownServiceOf } from '../open.ts'
import { demandOwn } from './request-fields.ts'

export function bindLogRoutes(bind: BindRoute, needs: ServicesNeeds): void {
  bind({
    operation: listOwnLogs,
    locate: ({ caller }) => demandOwn(needs, ownServiceOf(caller)),
    handle: ({ located, query }) => listLogs(needs, located, query),
  })
  bind({
    operation: listLogsOperation,
    locate: ({ caller, params }) => openService(needs, caller, params.id),
    handle: ({ located, query }) => listLogs(needs, nameOf(located), query),
  })
}
