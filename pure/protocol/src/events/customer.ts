import Type, { type Static, type TProperties } from 'typebox'
import { NullableShareCode, Timestamp, Uuid } from '../wire/scalars.ts'
import { type EventEntry, perDocument } from './entry.ts'

/** The events of a company in its role as a customer, on its account feed. */
export type CustomerEventKind =
  | 'connection_created'
  | 'connection_deleted'
  | 'share_changed'
  | 'consent_requested'
  | 'document_created'
  | 'document_updated'
  | 'document_status_changed'
  | 'document_deleted'
  | 'message_received'
  | 'flow_run_turn'
  | 'flow_completed'
  | 'flow_cancelled'

export const customerEvents = {
  connection_created: {
    about: 'This company connected to a service.',
    schema: customerEvent('connection_created', {}),
    collapse: null,
  },
  connection_deleted: {
    about: 'A connection to a service ended, from either side.',
    schema: customerEvent('connection_deleted', {}),
    collapse: null,
  },
  share_changed: {
    about: 'The business card of the other company changed.',
    schema: customerEvent('share_changed', {}),
    collapse: null,
  },
  consent_requested: {
    about: 'The service asks for further fields.',
    schema: customerEvent('consent_requested', { consent_id: Uuid }),
    collapse: null,
  },
  document_created: {
    about: 'The service sent a document.',
    schema: customerEvent('document_created', { document_id: Uuid }),
    collapse: null,
  },
  document_updated: {
    about: 'A document changed.',
    schema: customerEvent('document_updated', { document_id: Uuid }),
    collapse: null,
  },
  document_status_changed: {
    about: 'The status of a document changed.',
    schema: customerEvent('document_status_changed', { document_id: Uuid }),
    collapse: perDocument,
  },
  document_deleted: {
    about: 'A document was deleted.',
    schema: customerEvent('document_deleted', { document_id: Uuid }),
    collapse: null,
  },
  message_received: {
    about: 'The service wrote a message, to you or to all its customers.',
    schema: customerEvent('message_received', { message_id: Uuid }),
    collapse: null,
  },
  flow_run_turn: {
    about: 'A run waits for another party, or a signing step opened.',
    schema: customerEvent('flow_run_turn', { flow_run_id: Uuid }),
    collapse: null,
  },
  flow_completed: {
    about: 'A run is complete.',
    schema: customerEvent('flow_completed', { flow_run_id: Uuid }),
    collapse: null,
  },
  flow_cancelled: {
    about: 'A run was cancelled, for any reason.',
    schema: customerEvent('flow_cancelled', {
      flow_run_id: Uuid,
      cancelled_by: Type.String({ description: 'The key of a party, or `system`.' }),
    }),
    collapse: null,
  },
} as const satisfies Record<CustomerEventKind, EventEntry>

export type CustomerEvent<Kind extends CustomerEventKind = CustomerEventKind> = {
  [K in Kind]: Static<(typeof customerEvents)[K]['schema']>
}[Kind]

function customerEvent<const Kind extends CustomerEventKind, Members extends TProperties>(
  kind: Kind,
  members: Members,
) {
  return Type.Object({
    id: Uuid,
    event: Type.Literal(kind),
    at: Timestamp,
    connection_id: Uuid,
    company_share_code: NullableShareCode,
    service_share_code: Type.String(),
    ...members,
  })
}
