import { listLogs as listLogsRoute, listOwnLogs, whoami } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { ServicesContext } from '../context.ts'
import { nameOfService } from '../model.ts'
import { listLogs } from '../operations/logs.ts'
import { ownServiceOf, requireOwnService, requireService } from '../operations/require-service.ts'
import { bindCardRoutes } from './card.ts'
import { bindRequestFieldRoutes } from './request-fields.ts'
import { bindOwnServiceRoutes } from './services.ts'

export function bindServiceRoutes(bind: BindRoute, services: ServicesContext): void {
  bind({
    operation: whoami,
    handle({ caller }) {
      const { companyId, serviceId } = ownServiceOf(caller)
      return { company_user_id: companyId, service_id: serviceId }
    },
  })
  bindOwnServiceRoutes(bind, services)
  bindRequestFieldRoutes(bind, services)
  bindCardRoutes(bind, services)
  bindLogRoutes(bind, services)
}

function bindLogRoutes(bind: BindRoute, services: ServicesContext): void {
  bind({
    operation: listOwnLogs,
    locate: ({ caller }) => requireOwnService(services, caller),
    handle: ({ located, query }) => listLogs(services, located, query),
  })
  bind({
    operation: listLogsRoute,
    locate: ({ caller, params }) => requireService(services, caller, params.id),
    handle: ({ located, query }) => listLogs(services, nameOfService(located), query),
  })
}
