import Type, { type Static } from 'typebox'
import { EXAMPLE_TEXTS, nullableText, NullableTimestamp, Timestamp, Uuid } from './scalars.ts'

/** The longest `body` and `sender_body`, in bytes. */
export const MESSAGE_MAX_BYTES = 64 * 1024

export const Message = Type.Object(
  {
    message_id: Uuid,
    id: Type.String({ format: 'uuid', description: 'The same as `message_id`.', examples: [EXAMPLE_TEXTS.uuid] }),
    from: Type.Enum(['person', 'company'], { description: '`person` is the customer, also where it is a company.' }),
    body: nullableText({
      description:
        'The JSON text of the Wrapper that you can open; the plain text of a broadcast. Null for a message of your own that ' +
        'was sent without `sender_body`.',
      examples: [EXAMPLE_TEXTS.wrapper],
    }),
    broadcast: Type.Optional(
      Type.Literal(true, { description: 'Only on broadcasts. The company gets no receipt of them.' }),
    ),
    created_at: Timestamp,
    read_at: NullableTimestamp,
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

export const SentMessage = Type.Object(
  {
    message_id: Uuid,
    id: Type.String({ format: 'uuid', description: 'The same as `message_id`.', examples: [EXAMPLE_TEXTS.uuid] }),
    created_at: Timestamp,
  },
  { title: 'SentMessage' },
)
export type SentMessage = Static<typeof SentMessage>

export const MessagesRead = Type.Object(
  {
    acknowledged_up_to: Uuid,
    unread_count: Type.Integer({ minimum: 0 }),
  },
  { title: 'MessagesRead' },
)
export type MessagesRead = Static<typeof MessagesRead>
