import Type, { type Static } from 'typebox'
import { AskedRow, CardEntry } from '../asks/connections.ts'
import { DeviceAssertion } from '../operations/account-security.ts'
import { checkedByRule } from './checked-by-rule.ts'
import { RecordDocument } from './document.ts'
import { PluginRow, ResolvedType } from './field-type.ts'
import { PublicKey } from './keys.ts'
import { nullableText, NullableUuid, ShareCode, Timestamp, Uuid } from './scalars.ts'
import { deviceRecordMember, senderMember } from './sender.ts'
import { WrapperGiven } from './wrapper.ts'

/** A customer's answer to a request field. `linked` and `typed` stay live, `one_time` is a snapshot. */
export const decisionKinds = ['linked', 'typed', 'one_time'] as const
export type DecisionKind = (typeof decisionKinds)[number]

/** The kind of a decision that gives no answer. */
const WITHDRAWAL = 'none'

export const DecisionFile = Type.Object(
  {
    value: Type.Optional(checkedByRule(WrapperGiven)),
    file: Type.Optional(Type.String({ description: 'A data URI; from a field that is not private.' })),
    original_name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    envelope: Type.Optional(
      Type.String({ description: 'The plaintext envelope, for types with several files or metadata.' }),
    ),
  },
  { title: 'DecisionFile' },
)
export type DecisionFile = Static<typeof DecisionFile>

// See [Note: members checked by rules]: a plaintext value has an error key of its own, so the schema accepts anything.
export const Decision = Type.Object(
  {
    request_field_id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...decisionKinds, WITHDRAWAL], {
      description: '`none` withdraws the answer of a re-map; elsewhere it is the same as no decision.',
    }),
    value: Type.Optional(checkedByRule(WrapperGiven)),
    file: Type.Optional(DecisionFile),
    ...senderMember,
    source_field_id: Type.Optional(
      nullableText({ format: 'uuid', description: 'The contact field behind it; it never leaves your region.' }),
    ),
    source_updated_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: '`updated_at` of that field when it was read: if it has changed since, the call is refused.',
      }),
    ),
  },
  { title: 'Decision' },
)
export type Decision = Static<typeof Decision>

export const Decisions = Type.Array(Decision, { maxItems: 500 })

/** For a person whose login had no one-time code, at a service that requires a second factor. */
export const secondFactorMembers = {
  assertion_challenge: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A challenge for an `approval`, of `POST /api/account/trusted-devices/options`.',
    }),
  ),
  assertion: Type.Optional(DeviceAssertion),
} as const

export const RequestedField = Type.Object(
  {
    ...AskedRow.properties,
    field_type: Type.String({ description: 'The name of the type, the same as `type`.' }),
    resolved_type: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The row of the registry with everything it inherits.',
        documented: ResolvedType,
      },
    ),
    plugin: PluginRow,
  },
  { title: 'RequestedField', description: 'A requested field with its resolved type.' },
)
export type RequestedField = Static<typeof RequestedField>

const CompanyName = Type.Object(
  { user_id: Uuid, display_name: Type.String(), share_code: ShareCode },
  { title: 'CompanyName' },
)

const CardValue = Type.Object(CardEntry.properties, { title: 'CardValue' })

const Mapping = Type.Object(
  {
    request_field_id: Uuid,
    slug: Type.String(),
    kind: Type.Enum([...decisionKinds]),
    live: Type.Boolean(),
    source_field_id: NullableUuid,
    provided_at: Timestamp,
  },
  { title: 'Mapping' },
)

const ServiceLink = Type.Object(
  {
    service_link_id: Uuid,
    service_id: Uuid,
    service_name: Type.String(),
    service_code: Type.String(),
    public_key: PublicKey,
    request_fields: Type.Array(RequestedField),
    shared: Type.Array(CardValue),
    photo_ids: Type.Array(Uuid, { description: 'Photos of the card; read them below the connection.' }),
    mappings: Type.Array(Mapping),
    pending_consent: Type.Array(Type.String(), { description: 'Slugs that wait for a decision.' }),
    declined: Type.Array(Type.String(), { description: 'Slugs that were declined; a re-map can still provide each.' }),
    documents: Type.Array(RecordDocument, {
      description:
        'Own copies and broadcasts, the newest 50, newest first; fewer when they have more than 1 MB. Empty in the ' +
        'answer of a write.',
    }),
    documents_total: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The list of documents has all. Absent in the answer of a write.' }),
    ),
  },
  { title: 'ServiceLink' },
)

export const CustomerConnection = Type.Object(
  {
    id: Uuid,
    company_connection_id: Uuid,
    customer_type: Type.Enum(['person', 'company']),
    connected_at: Timestamp,
    company: CompanyName,
    company_profile: Type.Array(CardValue),
    services: Type.Array(ServiceLink),
    documents: Type.Array(RecordDocument, {
      description: 'Empty: a document stands under its service.',
      examples: [[]],
    }),
    ...deviceRecordMember,
  },
  { title: 'CustomerConnection' },
)
export type CustomerConnection = Static<typeof CustomerConnection>

export const ServiceOffer = Type.Object(
  {
    company: CompanyName,
    service: Type.Object({
      service_id: Uuid,
      name: Type.String(),
      code: Type.String(),
      audience: Type.Enum(['person', 'company', 'both']),
      require_2fa: Type.Boolean({ description: 'Persons need a second factor to connect.' }),
    }),
    public_key: PublicKey,
    request_fields: Type.Array(RequestedField),
  },
  { title: 'ServiceOffer' },
)
export type ServiceOffer = Static<typeof ServiceOffer>

export const Consent = Type.Object(
  {
    id: Uuid,
    connection_id: Uuid,
    service_link_id: Uuid,
    request_fields: Type.Array(RequestedField),
    created_at: Timestamp,
  },
  { title: 'Consent' },
)
export type Consent = Static<typeof Consent>

export const ReceivedConnectRequest = Type.Object(
  {
    id: Uuid,
    company: Type.Object({ user_id: Uuid, display_name: Type.String(), share_code: nullableText() }),
    service: Type.Object({ service_id: Uuid, name: Type.String(), code: Type.String() }),
    message: nullableText(),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'ReceivedConnectRequest' },
)
export type ReceivedConnectRequest = Static<typeof ReceivedConnectRequest>
