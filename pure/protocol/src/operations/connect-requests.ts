import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import {
  CustomerConnection,
  Decisions,
  ReceivedConnectRequest,
  secondFactorMembers,
} from '../wire/customer-connection.ts'
import { pageQuery } from '../wire/paging.ts'
import { nullableText, Uuid } from '../wire/scalars.ts'
import { deviceRecordMember } from '../wire/sender.ts'

const MIB = 1_048_576

/** Companies reach these routes too and get `company_connections.persons_only` there. */
const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const id = Type.Object({ id: Type.String({ format: 'uuid', description: 'The id of the connect request.' }) })

export const listReceivedConnectRequests = defineOperation({
  id: 'connect_requests.list_received',
  method: 'GET',
  path: '/api/customer/connect-requests',
  document: 'customer',
  summary: 'Services that ask you to connect',
  callers: customers,
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: {
    status: 200,
    about: 'The open requests, oldest first',
    body: Type.Object({
      connect_requests: Type.Array(ReceivedConnectRequest),
      total: Type.Integer({ minimum: 0 }),
      next_cursor: nullableText(),
    }),
  },
  errors: ['company_connections.persons_only'],
})

export const acceptConnectRequest = defineOperation({
  id: 'connect_requests.accept',
  method: 'POST',
  path: '/api/customer/connect-requests/{id}/accept',
  document: 'customer',
  summary: 'Accept and connect',
  description: 'Connects to the service that asks; decisions as at `POST /api/company-connections`.',
  callers: customers,
  rate: 'data',
  creates: true,
  maxBodyBytes: 64 * MIB,
  params: id,
  body: Type.Object({ decisions: Decisions, ...deviceRecordMember, ...secondFactorMembers }),
  success: { status: 201, about: 'The connection', body: CustomerConnection },
  errors: [
    'company_connections.persons_only',
    'company_connections.request_not_found',
    'services.not_found',
    'services.audience_b2b_only',
    'services.second_factor_required',
    'company_connections.mandatory_missing',
    'company_connections.source_changed',
    'contact_data.encryption_required',
    'company_data.already_connected',
    'company_data.connection_not_found',
    'keys.not_found',
  ],
})

export const rejectConnectRequest = defineOperation({
  id: 'connect_requests.reject',
  method: 'POST',
  path: '/api/customer/connect-requests/{id}/reject',
  document: 'customer',
  summary: 'Reject',
  description: 'The service may ask again after 30 days.',
  callers: customers,
  rate: 'data',
  allowsEmptyBody: true,
  params: id,
  body: Type.Object({}),
  success: {
    status: 200,
    about: 'The request is rejected',
    body: Type.Object({ request_id: Uuid, status: Type.Literal('rejected') }),
  },
  errors: ['company_connections.persons_only', 'company_connections.request_not_found'],
})
