import { type Bus, parseParty } from '@sealpost/bus'
import { formatInstant } from '@sealpost/kernel'
import {
  messageBroadcastTell,
  messageToCustomerTell,
  messageToServiceTell,
  readByCustomerTell,
  readByServiceTell,
} from '@sealpost/protocol'
import { type ConnectedBody, readId } from '../../../platform/bus-values.ts'
import type { StoredConnection } from '../../connections/index.ts'
import type { ServiceMessages, ServiceSideContext } from '../service-side/context.ts'
import { type CustomerAddress, hearMessage } from '../service-side/operations/hear-message.ts'
import { hearRead } from '../service-side/operations/read-messages.ts'
import { readMessage, readReceipt } from './read.ts'

export function serviceMessages(bus: Bus): ServiceMessages {
  return {
    tellMessage: (tx, connection, message) =>
      bus.tell(tx, messageToCustomerTell, {
        to: parseParty(connection.customerRegion),
        key: connection.id,
        body: { ...nameToWire(connection), message },
      }),
    tellRead: (tx, connection, { upToSeq, readAt }) =>
      bus.tell(tx, readByServiceTell, {
        to: parseParty(connection.customerRegion),
        key: connection.id,
        body: { ...nameToWire(connection), up_to_seq: upToSeq, read_at: formatInstant(readAt) },
      }),
    tellBroadcast: (tx, region, { companyId, serviceId }, { id, body, createdAt }) =>
      bus.tell(tx, messageBroadcastTell, {
        to: parseParty(region),
        key: serviceId,
        body: {
          company_id: companyId,
          service_id: serviceId,
          broadcast: { id, body, created_at: formatInstant(createdAt) },
        },
      }),
  }
}

function nameToWire({ companyId, serviceId, id, customerId }: StoredConnection): ConnectedBody {
  return { company_id: companyId, service_id: serviceId, connection_id: id, customer_id: customerId }
}

/** Handles tells of the customers' regions. */
export function hearAsService(bus: Bus, context: ServiceSideContext): void {
  bus.onTell(messageToServiceTell, async (tx, { from, body }) => {
    await hearMessage(context, tx, readCustomer(body, from), readMessage('person', body.message))
  })
  bus.onTell(readByCustomerTell, async (tx, { from, body }) => {
    await hearRead(tx, readCustomer(body, from), readReceipt(body))
  })
}

function readCustomer(body: ConnectedBody, from: string): CustomerAddress {
  return {
    serviceId: readId(body.service_id),
    connectionId: readId(body.connection_id),
    customerId: readId(body.customer_id),
    region: from,
  }
}
