import Type, { type Static } from 'typebox'
import { defineOperation } from '../operation.ts'
import { attestationMembers } from '../wire/attestation.ts'
import { PublicKey } from '../wire/keys.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import {
  EXAMPLE_TEXTS,
  NullableSha256,
  NullableShareCode,
  NullableTimestamp,
  nullableText,
  Sha256,
  ShareCode,
  Timestamp,
  Uuid,
} from '../wire/scalars.ts'
import { senderMember } from '../wire/sender.ts'
import { FileText, WrapperString } from '../wire/wrapper.ts'

const customerType = Type.Enum(['person', 'company'])

/** A value that a customer provided, by the slug of its request field. */
export const ConnectionValue = Type.Object(
  {
    value: Type.Optional(WrapperString),
    value_url: Type.Optional(Type.String({ description: 'Set for a file: where to read it, relative to `api_url`.' })),
    content_sha256: Type.Optional(Sha256),
    expired: Type.Optional(
      Type.Boolean({ description: 'True for a file that was shared once and is no longer kept.' }),
    ),
    expired_at: Type.Optional(Timestamp),
    live: Type.Boolean({ description: 'False for a snapshot, which does not follow later edits.' }),
    updated_at: Timestamp,
    verified_hash: NullableSha256,
    verified_salt: nullableText(),
    verified_at: NullableTimestamp,
    verified_expires_at: NullableTimestamp,
    verified_method: nullableText(),
    verified_provider: nullableText(),
    verification_id: nullableText(),
    verified_statement: attestationMembers.verified_statement,
    ...senderMember,
    flow_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Set for a value that a run of this flow has brought.' }),
    ),
  },
  {
    title: 'ConnectionValue',
    examples: [
      {
        value: EXAMPLE_TEXTS.wrapper,
        live: true,
        updated_at: EXAMPLE_TEXTS.timestamp,
        verified_hash: null,
        verified_salt: null,
        verified_at: null,
        verified_expires_at: null,
        verified_method: null,
        verified_provider: null,
        verification_id: null,
      },
    ],
  },
)
export type ConnectionValue = Static<typeof ConnectionValue>

const ProvidedField = Type.Object(
  {
    slug: Type.String(),
    label: Type.String(),
    type: Type.String({ description: "The request field's own type, whatever type the answer has." }),
    service_field_id: Uuid,
    live: Type.Boolean(),
    provided_at: Timestamp,
  },
  { title: 'ProvidedField' },
)

/** `id` = `connection_id`, and `person_id` = `user_id`: older and newer names of the same. */
export const Connection = Type.Object(
  {
    id: Uuid,
    connection_id: Uuid,
    person_id: Uuid,
    user_id: Uuid,
    display_name: Type.String(),
    connected_at: Timestamp,
    customer_type: customerType,
    share_code: NullableShareCode,
    status: Type.Literal('connected'),
    values: Type.Record(Type.String(), ConnectionValue, { description: 'By slug; answered fields only.' }),
    values_private: Type.Record(Type.String(), Type.Boolean(), {
      description: 'Whether the field behind a value is private; a slug that is missing here counts as private.',
    }),
    pending_consent: Type.Array(Type.String(), { description: 'Slugs that the customer has not decided on yet.' }),
    fields: Type.Array(ProvidedField),
  },
  { title: 'Connection' },
)
export type Connection = Static<typeof Connection>

const connectionId = {
  connectionId: Type.String({ format: 'uuid', description: 'The id of the connection.' }),
} as const

export const listConnections = defineOperation({
  id: 'connections.list',
  method: 'GET',
  path: '/api/company-data/connections',
  document: 'company-data',
  summary: 'The connections of the service with their values',
  description: 'For the first full copy: page with the cursor and limit 500, then follow the change feed.',
  callers: ['service_client'],
  rate: 'connections',
  query: Type.Object(pageQuery),
  success: { status: 200, about: 'The connections, oldest first', body: pageOf(Connection) },
  errors: [],
})

export const readConnection = defineOperation({
  id: 'connections.read',
  method: 'GET',
  path: '/api/company-data/connections/{connectionId}',
  document: 'company-data',
  summary: 'One connection with its values',
  callers: ['service_client'],
  rate: 'data',
  params: Type.Object(connectionId),
  success: { status: 200, about: 'The connection', body: Connection },
  errors: ['company_data.connection_not_found'],
})

export const deleteConnection = defineOperation({
  id: 'connections.end',
  method: 'DELETE',
  path: '/api/company-data/connections/{connectionId}',
  document: 'company-data',
  summary: 'End a connection',
  description: 'Its values are deleted when this answers, and the customer is informed.',
  callers: ['service_client'],
  rate: 'data',
  params: Type.Object(connectionId),
  success: { status: 204, about: 'The connection has ended' },
  errors: ['company_data.connection_not_found', 'company_connections.active_contract'],
})

export const readSlotFile = defineOperation({
  id: 'connections.read_file',
  method: 'GET',
  path: '/api/company-data/connections/{connectionId}/slots/{serviceFieldId}/file',
  document: 'company-data',
  summary: 'A file that a customer provided',
  description:
    'JSON `{"encrypted": true, "value": <wrapper string>}` when the field behind it is private; JSON ' +
    '`{"encrypted": false, "value": <envelope string>}` for other types with several files or metadata; else the file ' +
    'itself with its own Content-Type. The digest header covers exactly these bytes.',
  callers: ['service_client'],
  rate: 'data',
  params: Type.Object({
    ...connectionId,
    serviceFieldId: Type.String({ format: 'uuid', description: 'The id of the request field.' }),
  }),
  jsonOnly: true,
  success: {
    status: 200,
    about: 'The file in one of its three forms',
    mediaType: 'application/octet-stream',
    jsonForm: FileText,
  },
  errors: ['company_data.connection_not_found', 'company_data.file_not_found', 'company_data.file_expired'],
})

export const createConnectRequest = defineOperation({
  id: 'connections.request',
  method: 'POST',
  path: '/api/company-data/connect-requests',
  document: 'company-data',
  summary: 'Invite a person to connect',
  description:
    'Carries no values and no keys. While a request is open, a repeated call returns it with 200. It lapses after 30 days.',
  callers: ['service_client'],
  rate: 'data',
  level: 'basic',
  creates: true,
  body: Type.Object({
    share_code: Type.String({ minLength: 1, maxLength: 32, description: "The person's code." }),
    message: Type.Optional(
      nullableText({ maxLength: 200, description: 'Shown to the person unchanged; no control characters.' }),
    ),
  }),
  success: {
    status: 201,
    about: 'The request',
    body: Type.Object({ request_id: Uuid, status: Type.Literal('pending') }),
  },
  misses: ['company_data.share_code_not_found'],
  errors: [
    'company_data.share_code_not_found',
    'company_data.already_connected',
    'company_data.connect_request_paused',
    'company_connections.persons_only',
  ],
})

const ListedConnection = Type.Object(
  {
    id: Uuid,
    connection_id: Uuid,
    person_id: Uuid,
    user_id: Uuid,
    customer_type: customerType,
    share_code: Type.Union([ShareCode, Type.Null()]),
    display_name: Type.String(),
    public_key: PublicKey,
  },
  { title: 'ListedConnection' },
)

export const listServiceConnections = defineOperation({
  id: 'services.list_connections',
  method: 'GET',
  path: '/api/services/{id}/connections',
  document: 'account',
  summary: 'The connections of a service, without any value',
  callers: ['portal', 'delegate', 'account_client'],
  delegateRole: 'operator',
  rate: 'data',
  params: Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }) }),
  query: Type.Object(pageQuery),
  success: { status: 200, about: 'The connections, oldest first', body: pageOf(ListedConnection) },
  errors: ['services.not_found', 'services.second_factor_required'],
})
