import Type from 'typebox'
import { type CallerKind, defineOperation } from '../operation.ts'
import {
  Consent,
  CustomerConnection,
  Decisions,
  secondFactorMembers,
  ServiceOffer,
} from '../wire/customer-connection.ts'
import { pageQuery } from '../wire/paging.ts'
import { TurnPass } from '../wire/plugin.ts'
import { nullableText } from '../wire/scalars.ts'
import { deviceRecordMember } from '../wire/sender.ts'

const MIB = 1_048_576
/** Decisions carry files: room for base64 of the largest document, sealed, and the members around it. */
const decisionsMaxBytes = 64 * MIB

const customers = ['person', 'portal', 'delegate', 'account_client'] as const satisfies readonly CallerKind[]
const connectionId = { id: Type.String({ format: 'uuid', description: 'The id of the connection.' }) }
const consentId = { id: Type.String({ format: 'uuid', description: 'The id of the consent.' }) }
const companyCode = Type.String({ minLength: 1, maxLength: 64, description: 'The share code of the company.' })
const serviceCode = Type.String({ minLength: 1, maxLength: 64, description: 'The share code of the service.' })
const listed = { total: Type.Integer({ minimum: 0 }), next_cursor: nullableText() }

export const lookUpService = defineOperation({
  id: 'company_connections.look_up_service',
  method: 'GET',
  path: '/api/company-connections/lookup/{companyCode}/{serviceCode}',
  document: 'customer',
  summary: 'A service and the fields it requests',
  description:
    'Codes are matched ignoring case and surrounding spaces. `request_fields` are those meant for the kind of account that asks; values ' +
    'are sealed to `public_key`.',
  callers: customers,
  rate: 'data',
  params: Type.Object({ companyCode, serviceCode }),
  success: { status: 200, about: 'The service', body: ServiceOffer },
  misses: ['services.not_found'],
  errors: ['services.not_found', 'profile.company_code_requires_service'],
})

export const lookUpCompany = defineOperation({
  id: 'company_connections.look_up_company',
  method: 'GET',
  path: '/api/company-connections/lookup/{companyCode}',
  document: 'customer',
  summary: 'A company code alone',
  description: 'Always refused: customers connect with services, and a company may have several.',
  callers: customers,
  rate: 'data',
  params: Type.Object({ companyCode }),
  success: { status: 204, about: 'Never' },
  errors: ['profile.company_code_requires_service'],
})

const rowSlug = Type.String({ minLength: 1, maxLength: 64, description: 'The slug of the request field.' })
const passed = { status: 200, about: 'The pass, and what the field needs', body: TurnPass } as const

export const createOfferPass = defineOperation({
  id: 'company_connections.create_offer_pass',
  method: 'POST',
  path: '/api/company-connections/lookup/plugin-pass',
  document: 'customer',
  summary: 'A pass to the plugin of a request field, before connecting',
  description: '`code` is `COMPANYCODE/SERVICECODE`. The pass is for `POST {forwarder_url}/call`, within 10 minutes.',
  callers: customers,
  rate: 'data',
  body: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 128, examples: ['NRTHWD/RENTALS'] }),
    slug: rowSlug,
  }),
  success: passed,
  misses: ['services.not_found'],
  errors: ['services.not_found', 'profile.company_code_requires_service', 'plugin.not_found'],
})

export const createConnectionPass = defineOperation({
  id: 'company_connections.create_pass',
  method: 'POST',
  path: '/api/company-connections/{id}/plugin-pass',
  document: 'customer',
  summary: 'A pass to the plugin of a request field',
  description: 'For `POST {forwarder_url}/call`, within 10 minutes.',
  callers: customers,
  rate: 'data',
  params: Type.Object(connectionId),
  body: Type.Object({ slug: rowSlug }),
  success: passed,
  errors: ['company_data.connection_not_found', 'plugin.not_found'],
})

export const connect = defineOperation({
  id: 'company_connections.connect',
  method: 'POST',
  path: '/api/company-connections',
  document: 'customer',
  summary: 'Connect to a service',
  description:
    '`code` is `COMPANYCODE/SERVICECODE`. Every mandatory field must be decided; the others may follow later. Inline ' +
    'values have at most 65,536 characters each, sealed. For a linked field with a file that is not private, `file` ' +
    'is optional and ignored: the stored file is shared. A call that was answered with 503 may have ' +
    'worked: repeated with its Idempotency-Key it returns the connection that it made.',
  callers: customers,
  rate: 'data',
  creates: true,
  maxBodyBytes: decisionsMaxBytes,
  body: Type.Object({
    code: Type.String({ minLength: 1, maxLength: 128, examples: ['NRTHWD/RENTALS'] }),
    decisions: Decisions,
    ...deviceRecordMember,
    ...secondFactorMembers,
  }),
  success: { status: 201, about: 'The connection', body: CustomerConnection },
  misses: ['services.not_found'],
  errors: [
    'profile.company_code_requires_service',
    'services.not_found',
    'services.audience_b2b_only',
    'services.second_factor_required',
    'company_connections.persons_only',
    'company_connections.mandatory_missing',
    'company_connections.source_changed',
    'contact_data.encryption_required',
    'company_data.already_connected',
    'company_data.connection_not_found',
    'keys.not_found',
  ],
})

export const listCompanyConnections = defineOperation({
  id: 'company_connections.list',
  method: 'GET',
  path: '/api/company-connections',
  document: 'customer',
  summary: 'The services that you are connected to',
  callers: customers,
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: {
    status: 200,
    about: 'The connections, oldest first',
    body: Type.Object({ connections: Type.Array(CustomerConnection), ...listed }),
  },
  errors: [],
})

export const readCompanyConnection = defineOperation({
  id: 'company_connections.read',
  method: 'GET',
  path: '/api/company-connections/{id}',
  document: 'customer',
  summary: 'One connection',
  callers: customers,
  rate: 'data',
  params: Type.Object(connectionId),
  success: { status: 200, about: 'The connection', body: CustomerConnection },
  errors: ['company_data.connection_not_found'],
})

export const disconnect = defineOperation({
  id: 'company_connections.disconnect',
  method: 'DELETE',
  path: '/api/company-connections/{id}',
  document: 'customer',
  summary: 'Disconnect',
  description: 'The service keeps none of the shared data. Refused while an agreement or subscription is active.',
  callers: customers,
  rate: 'data',
  params: Type.Object(connectionId),
  success: { status: 204, about: 'The connection has ended' },
  errors: ['company_data.connection_not_found', 'company_connections.active_contract'],
})

export const changeMappings = defineOperation({
  id: 'company_connections.change_mappings',
  method: 'PUT',
  path: '/api/company-connections/{id}/services/{serviceLinkId}/mappings',
  document: 'customer',
  summary: 'Change the shared values of a connection',
  description:
    'A field that is named with a value or file gets it. One that is named with neither, and with the kind and source it ' +
    'has, stays unchanged, as does every field that is not named. `kind: none` withdraws an answer, which is refused ' +
    'for a mandatory field.',
  callers: customers,
  rate: 'data',
  maxBodyBytes: decisionsMaxBytes,
  params: Type.Object({
    ...connectionId,
    serviceLinkId: Type.String({ format: 'uuid', description: 'The id of the service within the connection.' }),
  }),
  body: Type.Object({ decisions: Decisions, ...deviceRecordMember }),
  success: { status: 200, about: 'The connection', body: CustomerConnection },
  errors: [
    'company_data.connection_not_found',
    'company_connections.mandatory_missing',
    'company_connections.source_changed',
    'contact_data.encryption_required',
  ],
})

export const listConsents = defineOperation({
  id: 'company_connections.list_consents',
  method: 'GET',
  path: '/api/company-connections/consents',
  document: 'customer',
  summary: 'Requested fields that wait for your decision',
  description: 'One entry per connection; its id is that of the connection.',
  callers: customers,
  rate: 'data',
  query: Type.Object({ ...pageQuery }),
  success: {
    status: 200,
    about: 'The consents, in the order of their connections',
    body: Type.Object({ consents: Type.Array(Consent), ...listed }),
  },
  errors: [],
})

export const provideConsent = defineOperation({
  id: 'company_connections.provide_consent',
  method: 'POST',
  path: '/api/company-connections/consents/{id}/provide',
  document: 'customer',
  summary: 'Provide requested fields',
  description:
    'Fields that are left out stay pending. The same decisions again get the first answer; any other decision for a field ' +
    'that was provided or declined is refused, and nothing is stored: a re-map changes it.',
  callers: customers,
  rate: 'data',
  maxBodyBytes: decisionsMaxBytes,
  params: Type.Object(consentId),
  body: Type.Object({ decisions: Decisions, ...deviceRecordMember }),
  success: { status: 200, about: 'The connection', body: CustomerConnection },
  errors: [
    'company_data.connection_not_found',
    'company_connections.consent_answered',
    'company_connections.source_changed',
    'contact_data.encryption_required',
  ],
})

export const declineConsent = defineOperation({
  id: 'company_connections.decline_consent',
  method: 'POST',
  path: '/api/company-connections/consents/{id}/decline',
  document: 'customer',
  summary: 'Decline requested fields',
  description:
    'Without `request_field_ids` all pending fields are declined. The connection stays, also without a mandatory field.',
  callers: customers,
  rate: 'data',
  allowsEmptyBody: true,
  params: Type.Object(consentId),
  body: Type.Object({
    request_field_ids: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { maxItems: 500 })),
  }),
  success: { status: 200, about: 'The connection', body: CustomerConnection },
  errors: ['company_data.connection_not_found'],
})

export const readCardPhoto = defineOperation({
  id: 'company_connections.read_card_photo',
  method: 'GET',
  path: '/api/company-connections/{id}/photos/{photoId}',
  document: 'customer',
  summary: 'A photo of the business card',
  callers: customers,
  rate: 'data',
  jsonOnly: true,
  params: Type.Object({
    ...connectionId,
    photoId: Type.String({ format: 'uuid', description: 'The id of the photo.' }),
  }),
  success: { status: 200, about: 'The photo', mediaType: 'image/jpeg' },
  errors: ['company_data.connection_not_found', 'company_data.file_not_found'],
})
