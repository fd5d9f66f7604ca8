import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { Message, MessagesRead, SentMessage } from '../wire/message.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { Uuid } from '../wire/scalars.ts'
import { NullableWrapperString, WrapperString } from '../wire/wrapper.ts'

const connection = Type.Object({
  connectionId: Type.String({ format: 'uuid', description: 'The id of the connection.' }),
})

/** The body of a send, from either side. */
export const MessageGiven = Type.Object({
  body: requiredByRule(WrapperString),
  sender_body: Type.Optional(checkedByRule(NullableWrapperString)),
})

/** The body of an acknowledgement, from either side. */
export const ReadGiven = Type.Object({
  message_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'The last message that was read; one that the other side sent.' }),
  ),
  up_to_message_id: Type.Optional(Type.String({ format: 'uuid', description: 'Another name of `message_id`.' })),
})

/** A page of a thread, from either side. */
export const MessagePage = Type.Object({
  ...pageOf(Message).properties,
  unread_count: Type.Integer({ minimum: 0, description: 'Messages of the other side that were not acknowledged.' }),
})

export const sendMessage = defineOperation({
  id: 'messages.send',
  method: 'POST',
  path: '/api/company-data/connections/{connectionId}/messages',
  document: 'company-data',
  summary: 'Write to a customer',
  description:
    'Seal `body` to the key of the customer (`person_public_key` of `message_received`), and `sender_body` to the key of ' +
    'your service for your own copy; each has at most 64 KiB. Sending acknowledges nothing.',
  callers: ['service_client'],
  rate: 'messages',
  level: 'basic',
  creates: true,
  params: connection,
  body: MessageGiven,
  success: { status: 201, about: 'The message is sent', body: SentMessage },
  errors: [
    'company_data.connection_not_found',
    'messages.not_connected',
    'messages.messaging_suspended',
    'contact_data.encryption_required',
  ],
})

export const listMessages = defineOperation({
  id: 'messages.list',
  method: 'GET',
  path: '/api/company-data/connections/{connectionId}/messages',
  document: 'company-data',
  summary: 'The messages of a connection',
  description:
    'Those of both sides, and the broadcasts since the customer connected. After the end of the connection the thread is ' +
    'closed, and your copies stay readable until you delete them, for `MESSAGES_KEPT_DAYS` (730) at most.',
  callers: ['service_client'],
  rate: 'data',
  params: connection,
  query: Type.Object({ ...pageQuery }),
  success: { status: 200, about: 'The messages, newest first', body: MessagePage },
  errors: ['company_data.connection_not_found'],
})

export const deleteMessages = defineOperation({
  id: 'messages.delete',
  method: 'DELETE',
  path: '/api/company-data/connections/{connectionId}/messages',
  document: 'company-data',
  summary: 'Delete your copies of the messages of a connection',
  description: 'Also after its end. The customer keeps the own copies. Repeating it changes nothing.',
  callers: ['service_client'],
  rate: 'data',
  params: connection,
  success: { status: 204, about: 'The copies are deleted' },
  errors: ['company_data.connection_not_found'],
})

export const readMessages = defineOperation({
  id: 'messages.read',
  method: 'POST',
  path: '/api/company-data/connections/{connectionId}/messages/read',
  document: 'company-data',
  summary: 'Acknowledge messages',
  description: 'Up to a message that the customer sent; the customer sees the receipt. Repeating it changes nothing.',
  callers: ['service_client'],
  rate: 'data',
  params: connection,
  body: ReadGiven,
  success: { status: 200, about: 'The messages are acknowledged', body: MessagesRead },
  errors: ['company_data.connection_not_found', 'messages.not_connected', 'company_data.ack_boundary_invalid'],
})

export const broadcastMessage = defineOperation({
  id: 'messages.broadcast',
  method: 'POST',
  path: '/api/company-data/broadcast',
  document: 'company-data',
  summary: 'Write to all customers',
  description:
    'Plain text of at most 64 KiB, which the platform can read. It stands in the thread of every present connection, on both ' +
    'sides, and raises no event.',
  callers: ['service_client'],
  rate: 'broadcast',
  level: 'basic',
  creates: true,
  body: Type.Object({
    body: Type.String({ minLength: 1, maxLength: 65_536, description: 'The text.', examples: ['We move on Monday.'] }),
  }),
  success: {
    status: 202,
    about: 'The broadcast is on its way',
    body: Type.Object({
      broadcast_id: Uuid,
      recipients: Type.Integer({ minimum: 0, description: 'The number of connections.' }),
    }),
  },
  errors: [
    'messages.messaging_suspended',
    'messages.broadcast_suspended',
    'messages.broadcast_audience_too_large',
    'services.not_found',
  ],
})
