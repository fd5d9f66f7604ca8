import { collapseKey, type ServiceEventKind, serviceEvents } from '@sealpost/protocol'
import type { NewEvent } from '../../../feed/index.ts'
import type { RequestRow } from '../../../services/index.ts'
import type { ConnectRequest, StoredConnection } from '../model.ts'
import type { SlotEventKind } from './changes.ts'

type Customer = Pick<StoredConnection, 'companyId' | 'serviceId' | 'id' | 'customerId' | 'customerType'> & {
  /** Null once the account is gone. */
  readonly shareCode: string | null
}

export function connectionEvent(kind: 'connection_created' | 'connection_deleted', customer: Customer): NewEvent {
  return {
    ...aboutCustomer(customer),
    kind,
    payload: who(customer),
    key: null,
  }
}

/** The event names its slot; the slot's content is read when the event is delivered. */
export function slotEvent(kind: SlotEventKind, customer: Customer, row: Pick<RequestRow, 'id' | 'slug'>): NewEvent {
  return {
    ...aboutCustomer(customer),
    kind,
    payload: { ...who(customer), slug: row.slug, request_field_id: row.id },
    key: keyOf(kind, { connection_id: customer.id, request_field_id: row.id }),
  }
}

export function requestEvent(
  kind: 'connection_request_accepted' | 'connection_request_rejected',
  request: Pick<ConnectRequest, 'companyId' | 'serviceId' | 'id' | 'customerId' | 'shareCode'>,
  connectionId: StoredConnection['id'] | null,
): NewEvent {
  const { companyId, serviceId, customerId, id } = request
  return {
    owner: { kind: 'service', companyId, serviceId },
    kind,
    connectionId,
    // Only persons can be invited.
    payload: { ...who({ ...request, customerType: 'person' }), request_id: id },
    key: keyOf(kind, { service_id: serviceId, person_user_id: customerId }),
  }
}

function aboutCustomer({ companyId, serviceId, id }: Customer): Pick<NewEvent, 'owner' | 'connectionId'> {
  return { owner: { kind: 'service', companyId, serviceId }, connectionId: id }
}

function who({ customerId, shareCode, customerType }: Pick<Customer, 'customerId' | 'shareCode' | 'customerType'>) {
  return { person_user_id: customerId, share_code: shareCode, customer_type: customerType }
}

function keyOf(kind: ServiceEventKind, members: Readonly<Record<string, string>>): string | null {
  return collapseKey(serviceEvents[kind].collapse, members)
}
