import {
  deleteCustomerMessages,
  listCustomerMessages,
  readCustomerMessages,
  sendCustomerMessage,
} from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { CustomerContext } from './context.ts'
import { clearThread } from './operations/delete-messages.ts'
import { listMessages } from './operations/list-messages.ts'
import { locateOpen, locateThread } from './operations/locate-thread.ts'
import { readMessages } from './operations/read-messages.ts'
import { sendMessage } from './operations/send-message.ts'

interface Question {
  readonly caller: Caller
  readonly params: { readonly id: string }
}

export function bindCustomerRoutes(bind: BindRoute, context: CustomerContext): void {
  const locate = ({ caller, params }: Question) => locateThread(context, caller.accountId, params.id)
  const locateConnected = ({ caller, params }: Question) => locateOpen(context, caller.accountId, params.id)
  bind({
    operation: sendCustomerMessage,
    locate: locateConnected,
    handle: ({ located, body }) => sendMessage(context, located, body),
  })
  bind({
    operation: listCustomerMessages,
    locate,
    handle: ({ located, query }) => listMessages(context, located, query),
  })
  bind({
    operation: readCustomerMessages,
    locate: locateConnected,
    handle: ({ located, body }) => readMessages(context, located, body),
  })
  bind({
    operation: deleteCustomerMessages,
    locate,
    async handle({ located }): Promise<undefined> {
      await clearThread(context, located)
    },
  })
}
