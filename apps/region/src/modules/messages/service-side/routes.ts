import {
  broadcastMessage,
  deleteMessages as deleteMessagesRoute,
  listMessages as listMessagesRoute,
  readMessages as readMessagesRoute,
  sendMessage as sendMessageRoute,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import { type Caller, clientOf } from '../../../platform/caller.ts'
import type { ServiceName } from '../../services/index.ts'
import type { ServiceSideContext } from './context.ts'
import { broadcast } from './operations/broadcast.ts'
import { clearThread } from './operations/delete-messages.ts'
import { listMessages } from './operations/list-messages.ts'
import { locateOpen, locateThread, requireAllowed } from './operations/locate-thread.ts'
import { readMessages } from './operations/read-messages.ts'
import { sendMessage } from './operations/send-message.ts'

interface Question {
  readonly caller: Caller
  readonly params: { readonly connectionId: string }
}

export function bindServiceSideRoutes(bind: BindRoute, context: ServiceSideContext): void {
  const locate = ({ caller, params }: Question) =>
    locateThread(context, serviceOf(caller).serviceId, params.connectionId)
  const locateConnected = ({ caller, params }: Question) =>
    locateOpen(context, serviceOf(caller).serviceId, params.connectionId)
  bind({
    operation: sendMessageRoute,
    async locate(question) {
      await requireAllowed(context, serviceOf(question.caller).serviceId, 'messages')
      return locateConnected(question)
    },
    handle: ({ located, body }) => sendMessage(context, located, body),
  })
  bind({
    operation: listMessagesRoute,
    locate,
    handle: ({ located, query }) => listMessages(context, located, query),
  })
  bind({
    operation: readMessagesRoute,
    locate: locateConnected,
    handle: ({ located, body }) => readMessages(context, located, body),
  })
  bind({
    operation: deleteMessagesRoute,
    locate,
    async handle({ located }): Promise<undefined> {
      await clearThread(context, located)
    },
  })
  bind({
    operation: broadcastMessage,
    async locate({ caller }) {
      const service = serviceOf(caller)
      await requireAllowed(context, service.serviceId, 'broadcasts')
      return service
    },
    handle: ({ located, body }) => broadcast(context, located, body),
  })
}

/** The service of a data client's token; ids sent by the caller are ignored. */
function serviceOf(caller: Caller): ServiceName {
  const { companyId, serviceId } = clientOf(caller)
  if (serviceId === null) throw new Error('service client without a service')
  return { companyId, serviceId }
}
