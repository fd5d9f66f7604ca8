import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import { MessagesRead, SentMessage } from '../wire/message.ts'
import { pageQuery } from '../wire/paging.ts'
import { MessageGiven, MessagePage, ReadGiven } from './messages.ts'

const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const connection = Type.Object({ id: Type.String({ format: 'uuid', description: 'The id of the connection.' }) })

export const sendCustomerMessage = defineOperation({
  id: 'customer_messages.send',
  method: 'POST',
  path: '/api/company-connections/{id}/messages',
  document: 'customer',
  summary: 'Write to a service',
  description:
    'Seal `body` to the key of the service, and `sender_body` to your own key for your copy; each has at most 64 KiB.',
  callers: customers,
  rate: 'messages',
  creates: true,
  params: connection,
  body: MessageGiven,
  success: { status: 201, about: 'The message is sent', body: SentMessage },
  errors: ['company_data.connection_not_found', 'messages.not_connected', 'contact_data.encryption_required'],
})

export const listCustomerMessages = defineOperation({
  id: 'customer_messages.list',
  method: 'GET',
  path: '/api/company-connections/{id}/messages',
  document: 'customer',
  summary: 'The messages of one service',
  description:
    'Those of both sides, and the broadcasts since you connected, which count as unread, too. `read_at` of your own is set ' +
    'once the service acknowledged them. After the end of the connection the thread is closed, and your copies stay readable ' +
    'until you delete them, for `MESSAGES_KEPT_DAYS` (730) at most.',
  callers: customers,
  rate: 'data',
  params: connection,
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The messages, newest first', body: MessagePage },
  errors: ['company_data.connection_not_found'],
})

export const deleteCustomerMessages = defineOperation({
  id: 'customer_messages.delete',
  method: 'DELETE',
  path: '/api/company-connections/{id}/messages',
  document: 'customer',
  summary: 'Delete your copies of the messages of one service',
  description: 'Also after the end of the connection. The service keeps its own copies. Repeating it changes nothing.',
  callers: customers,
  rate: 'data',
  params: connection,
  success: { status: 204, about: 'The copies are deleted' },
  errors: ['company_data.connection_not_found'],
})

export const readCustomerMessages = defineOperation({
  id: 'customer_messages.read',
  method: 'POST',
  path: '/api/company-connections/{id}/messages/read',
  document: 'customer',
  summary: 'Acknowledge messages',
  description:
    'Up to a message or a broadcast of the service, and with it all before it. The service sees the receipts of messages, ' +
    'and none of broadcasts. Repeating it changes nothing.',
  callers: customers,
  rate: 'data',
  params: connection,
  body: ReadGiven,
  success: { status: 200, about: 'The messages are acknowledged', body: MessagesRead },
  errors: ['company_data.connection_not_found', 'messages.not_connected', 'company_data.ack_boundary_invalid'],
})
