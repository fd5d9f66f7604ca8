import { whoami } from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import type { ServicesNeeds } from '../needs.ts'
import { ownServiceOf } from '../open.ts'
import { bindCardRoutes } from './card.ts'
import { bindLogRoutes } from './logs.ts'
import { bindRequestFieldRoutes } from './request-fields.ts'
import { bindServiceRoutes as bindOwnRoutes } from './services.ts'

export function bindServiceRoutes(bind: BindRoute, needs: ServicesNeeds): void {
  bind({
    operation: whoami,
    handle({ caller }) {
      const { companyId, serviceId } = ownServiceOf(caller)
      return { company_user_id: companyId, service_id: serviceId }
    },
  })
  bindOwnRoutes(bind, needs)
  bindRequestFieldRoutes(bind, needs)
  bindCardRoutes(bind, needs)
  bindLogRoutes(bind, needs)
}
