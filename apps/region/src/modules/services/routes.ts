import { whoami } from '@sealpost/protocol'
import type { BindRoute } from '../../bind.ts'
import { clientOf } from '../access/index.ts'

export function bindServiceRoutes(bind: BindRoute): void {
  bind({
    operation: whoami,
    // The token alone says who calls: no id from the caller is ever read.
    handle({ caller }) {
      const { companyId, serviceId } = clientOf(caller)
      if (serviceId === null) throw new Error('a service client without a service')
      return { company_user_id: companyId, service_id: serviceId }
    },
  })
}
