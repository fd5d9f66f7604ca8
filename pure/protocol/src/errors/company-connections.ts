import Type from 'typebox'
import { area } from './entry.ts'

/** Connections between a customer and a service, as the customer sees them. */
export const companyConnectionsErrors = area({
  'company_connections.persons_only': {
    status: 403,
    otherStatus: 400,
    sentence: 'Only persons can take part in this',
    remedy:
      'With 403 the caller is a company account: use a person session. With 400 the request addresses a company or ' +
      'yourself: address a person.',
  },
  'company_connections.active_contract': {
    status: 409,
    sentence: 'An agreement or subscription is still active on this connection',
    remedy: 'End the contract first, then the connection.',
  },
  'company_connections.mandatory_missing': {
    status: 400,
    sentence: 'The service requires fields that were not provided',
    remedy: 'Add a decision for every request field in `slugs` and send the call again.',
    details: Type.Object({ slugs: Type.Array(Type.String()) }),
  },
  'company_connections.consent_answered': {
    status: 409,
    sentence: 'A field of this request was answered already',
    remedy:
      'Nothing was stored. Read the connection: the fields in `slugs` were provided or declined, and a re-map changes them.',
    details: Type.Object({ slugs: Type.Array(Type.String()) }),
  },
  'company_connections.source_changed': {
    status: 409,
    sentence: 'A field has changed since the value that you sent was sealed',
    remedy: 'Read the field again, seal its current value to the service and repeat the call.',
  },
  'company_connections.request_not_found': {
    status: 404,
    sentence: 'There is no such connect request',
    remedy: 'Read the list of connect requests; answered, withdrawn and lapsed ones are no longer listed.',
  },
})
