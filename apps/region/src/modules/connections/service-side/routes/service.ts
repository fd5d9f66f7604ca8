import { batchServiceKeys, listServiceConnections } from '@sealpost/protocol'
import type { BindRoute } from '../../../../platform/bind-route.ts'
import { requireService } from '../../../services/index.ts'
import type { ServiceSideContext } from '../context.ts'
import { listServiceKeys } from '../operations/keys.ts'
import { listSummaries } from '../operations/read-connections.ts'
import { readUserIds } from './caller.ts'

/** For managers of a service. These routes never show a value. */
export function bindServiceConnectionRoutes(bind: BindRoute, context: ServiceSideContext): void {
  bind({
    operation: listServiceConnections,
    locate: ({ caller, params }) => requireService(context.services, caller, params.id),
    handle: ({ located: { companyId, id: serviceId }, query }) =>
      listSummaries(context, { companyId, serviceId }, query),
  })
  bind({
    operation: batchServiceKeys,
    locate: ({ caller, params }) => requireService(context.services, caller, params.id),
    async handle({ located, body }) {
      const { companyId, id: serviceId } = located
      const keys = await listServiceKeys(context, { companyId, serviceId }, readUserIds(body.user_ids))
      return { keys: Object.fromEntries(keys) }
    },
  })
}
