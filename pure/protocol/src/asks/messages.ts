import Type, { type Static } from 'typebox'
import { defineTell } from '../tell.ts'
import { Timestamp, Uuid } from '../wire/scalars.ts'

const addressed = { company_id: Uuid, service_id: Uuid } as const
const connected = { ...addressed, connection_id: Uuid, customer_id: Uuid } as const

/** The recipient's copy. `seq` orders the messages of one sender on a connection. */
export const MessageCopy = Type.Object({ id: Uuid, seq: Type.Integer(), body: Type.String(), created_at: Timestamp })
export type MessageCopy = Static<typeof MessageCopy>

const copy = Type.Object({ ...connected, message: MessageCopy })
const receipt = Type.Object({ ...connected, up_to_seq: Type.Integer(), read_at: Timestamp })

/** To the customer's region, in the order of the connection. */
export const messageToCustomerTell = defineTell({ kind: 'messages.to_customer', version: 1, body: copy })

/** To the service's region, in the order of the connection. */
export const messageToServiceTell = defineTell({ kind: 'messages.to_service', version: 1, body: copy })

/** To the customer's region: the service has read the customer's messages up to this one. */
export const readByServiceTell = defineTell({ kind: 'messages.read_by_service', version: 1, body: receipt })

/** To the service's region: the customer has read the service's messages up to this one. */
export const readByCustomerTell = defineTell({ kind: 'messages.read_by_customer', version: 1, body: receipt })

/** Once per region with customers of the service; ordered by the service. */
export const messageBroadcastTell = defineTell({
  kind: 'messages.broadcast',
  version: 1,
  body: Type.Object({
    ...addressed,
    broadcast: Type.Object({ id: Uuid, body: Type.String(), created_at: Timestamp }),
  }),
})
