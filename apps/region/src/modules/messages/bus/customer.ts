import { type Bus, parseParty } from '@sealpost/bus'
import { formatInstant, type ServiceId } from '@sealpost/kernel'
import {
  messageBroadcastTell,
  messageToCustomerTell,
  messageToServiceTell,
  readByCustomerTell,
  readByServiceTell,
} from '@sealpost/protocol'
import { type ConnectedBody, readId, readTime } from '../../../platform/bus-values.ts'
import type { KnownConnection } from '../../connections/index.ts'
import type { CustomerContext, CustomerMessages } from '../customer-side/context.ts'
import { hearBroadcast, hearMessage, type ToldThread } from '../customer-side/operations/hear-message.ts'
import { hearRead } from '../customer-side/operations/read-messages.ts'
import { readMessage, readReceipt } from './read.ts'

export function customerMessages(bus: Bus): CustomerMessages {
  return {
    tellMessage: (tx, connection, message) =>
      bus.tell(tx, messageToServiceTell, {
        to: parseParty(connection.companyRegion),
        key: connection.id,
        body: { ...nameToWire(connection), message },
      }),
    tellRead: (tx, connection, { upToSeq, readAt }) =>
      bus.tell(tx, readByCustomerTell, {
        to: parseParty(connection.companyRegion),
        key: connection.id,
        body: { ...nameToWire(connection), up_to_seq: upToSeq, read_at: formatInstant(readAt) },
      }),
  }
}

function nameToWire({ companyId, serviceId, id, accountId }: KnownConnection['connection']): ConnectedBody {
  return { company_id: companyId, service_id: serviceId, connection_id: id, customer_id: accountId }
}

/** Handles tells of the services' regions. A region may act only for its own services. */
export function hearAsCustomer(bus: Bus, context: CustomerContext): void {
  bus.onTell(messageToCustomerTell, async (tx, { from, body }) => {
    await hearMessage(context, tx, readThread(body, from), readMessage('company', body.message))
  })
  bus.onTell(readByServiceTell, async (tx, { from, body }) => {
    await hearRead(context, tx, readThread(body, from), readReceipt(body))
  })
  bus.onTell(messageBroadcastTell, async (tx, { from, body: { service_id: serviceId, broadcast } }) => {
    const { id, body, created_at: createdAt } = broadcast
    const service = { serviceId: readId<ServiceId>(serviceId), companyRegion: from }
    await hearBroadcast(context, tx, { ...service, id: readId(id), body, createdAt: readTime(createdAt) })
  })
}

function readThread(body: ConnectedBody, from: string): ToldThread {
  return {
    accountId: readId(body.customer_id),
    connectionId: readId(body.connection_id),
    service: { companyId: readId(body.company_id), serviceId: readId(body.service_id), companyRegion: from },
  }
}
