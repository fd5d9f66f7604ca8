import { pollChallenge as pollRoute, raiseChallenge as raiseRoute } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { type Caller, clientOf } from '../../../platform/caller.ts'
import type { ServiceName } from '../../services/index.ts'
import type { ServiceContext } from './context.ts'
import { locateChallenge, pollChallenge } from './operations/poll-challenge.ts'
import { raiseChallenge } from './operations/raise-challenge.ts'

export function bindServiceRoutes(bind: BindRoute, context: ServiceContext): void {
  bind({
    operation: raiseRoute,
    handle: ({ caller, body }) => raiseChallenge(context, serviceOf(caller), body),
  })
  bind({
    operation: pollRoute,
    locate: ({ caller, params }) => locateChallenge(context, serviceOf(caller).serviceId, params.challenge_id),
    handle: ({ located }) => pollChallenge(context, located),
  })
}

/** The service of a data client's token; ids sent by the caller are ignored. */
function serviceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('service client without a service')
  return { companyId, serviceId }
}
