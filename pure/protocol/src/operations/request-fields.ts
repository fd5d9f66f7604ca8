import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { checkedByRule, requiredByRule } from '../wire/checked-by-rule.ts'
import { PluginRow } from '../wire/field-type.ts'
import { PluginGiven } from '../wire/plugin.ts'
import { nullableText, Uuid } from '../wire/scalars.ts'
import { audiences } from './services.ts'

const rowMembers = {
  id: Uuid,
  slug: Type.String({ description: 'The key of the slot; values are delivered under it.' }),
  label: Type.String(),
  type: Type.String(),
  one_time: Type.Boolean({ description: 'A snapshot, shared once; otherwise the value stays live.' }),
  mandatory: Type.Boolean({ description: 'True when one of the two members below is.' }),
  mandatory_provide: Type.Boolean({ description: 'Required to connect.' }),
  mandatory_connected: Type.Boolean({ description: 'Required to stay connected too.' }),
  verified: Type.Boolean({ description: 'Only attested values are accepted.' }),
  verified_max_age_days: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  plugin: PluginRow,
  flow_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The flow that asks for it. Such rows follow the others, are read-only and not part of the token.',
    }),
  ),
  flow_name: Type.Optional(Type.String()),
  flow_version: Type.Optional(Type.Integer()),
} as const

const RequestField = Type.Object(rowMembers, { title: 'RequestField' })
const RequestFieldOfPortal = Type.Object(
  { ...rowMembers, audience: Type.Enum([...audiences]) },
  { title: 'RequestFieldWithAudience' },
)

/** Only in an answer to `include=value_counts`: counting visits every connection of the service. */
const CountedRequestField = Type.Object(
  {
    ...rowMembers,
    audience: Type.Enum([...audiences]),
    value_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'How many customers have given a value, which a removal of the row deletes; with `include=value_counts` only.',
      }),
    ),
  },
  { title: 'RequestFieldWithCount' },
)

const ConfigToken = Type.String({
  description: 'Identifies the published state; send it back with the next publication.',
})

const RequestFields = Type.Object(
  { request_fields: Type.Array(RequestField), config_token: ConfigToken },
  { title: 'RequestFields' },
)
const RequestFieldsOfPortal = Type.Object(
  { request_fields: Type.Array(RequestFieldOfPortal), config_token: ConfigToken },
  { title: 'RequestFieldsWithAudience' },
)

const CountedRequestFields = Type.Object(
  { request_fields: Type.Array(CountedRequestField), config_token: ConfigToken },
  { title: 'RequestFieldsWithCounts' },
)

const RowGiven = Type.Object({
  id: Type.Optional(
    nullableText({ description: 'The id of a published row; its type and `one_time` never change, its slug may.' }),
  ),
  slug: Type.Optional(
    checkedByRule(
      Type.String({
        pattern: '^$|^[a-z][a-z0-9_]{0,63}$',
        description: 'Derived from the label when blank.',
        examples: ['home'],
      }),
    ),
  ),
  label: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', examples: ['Where you live'] }),
  type: requiredByRule(
    Type.String({ description: 'A type of `GET /api/contact-field-types`, or `plugin`.', examples: ['address'] }),
  ),
  one_time: Type.Optional(
    Type.Boolean({ description: 'When absent, that of the published row; false for a new row.' }),
  ),
  mandatory: Type.Optional(Type.Boolean({ description: 'Alone it means `mandatory_provide`.' })),
  mandatory_provide: Type.Optional(Type.Boolean()),
  mandatory_connected: Type.Optional(Type.Boolean()),
  audience: Type.Optional(
    Type.Enum([...audiences], { description: 'When absent, the previous value; `both` at first.' }),
  ),
  verified: Type.Optional(Type.Boolean()),
  verified_max_age_days: Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 36_500 }),
  ),
  plugin: Type.Optional(
    checkedByRule(
      Type.Union([PluginGiven, Type.Null()], {
        description: 'Of a row of type `plugin`, which is shared once and asks persons.',
      }),
    ),
  ),
  flow_id: Type.Optional(
    checkedByRule(Type.String({ description: 'Rows of flows are read-only: entries with this member are ignored.' })),
  ),
  flow_name: Type.Optional(
    checkedByRule(Type.Union([Type.String(), Type.Null()], { description: 'As it was read; ignored.' })),
  ),
  flow_version: Type.Optional(
    checkedByRule(Type.Union([Type.Integer(), Type.Null()], { description: 'As it was read; ignored.' })),
  ),
  value_count: Type.Optional(checkedByRule(Type.Integer({ description: 'As it was read; ignored.' }))),
})

const rowsGiven = Type.Optional(Type.Array(RowGiven, { maxItems: 2000 }))
const Publication = Type.Object({
  config_token: Type.String(),
  request_fields: rowsGiven,
  fields: Type.Optional(Type.Array(RowGiven, { maxItems: 2000, description: 'An older name of `request_fields`.' })),
})

const PUBLISHING = [
  'services.config_conflict',
  'services.request_field_invalid',
  'services.request_field_slug_invalid',
  'services.request_field_slug_duplicate',
  'services.request_field_type_invalid',
  'services.request_field_type_locked',
  'services.request_field_plugin_invalid',
] as const

const REPLACES =
  'Replaces the rows: those that are left out are removed with their values, 500 connections at a time; a new one asks ' +
  'every matching connection for consent. With an outdated `config_token` nothing is published. At most 100 ' +
  'rows.'

const serviceId = Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }) })

export const readOwnRequestFields = defineOperation({
  id: 'company_data.read_request_fields',
  method: 'GET',
  path: '/api/company-data/request-fields',
  document: 'company-data',
  summary: 'The request fields of this service',
  callers: ['service_client'],
  rate: 'data',
  success: { status: 200, about: 'The published rows', body: RequestFields },
  errors: ['services.not_found'],
})

export const publishOwnRequestFields = defineOperation({
  id: 'company_data.publish_request_fields',
  method: 'PUT',
  path: '/api/company-data/request-fields',
  document: 'company-data',
  summary: 'Publish the request fields of this service',
  description: REPLACES,
  callers: ['service_client'],
  rate: 'data',
  body: Publication,
  success: { status: 200, about: 'The rows as they are published now', body: RequestFields },
  errors: ['services.not_found', ...PUBLISHING],
})

export const readRequestFields = defineOperation({
  id: 'services.read_request_fields',
  method: 'GET',
  path: '/api/services/{id}/request-fields',
  document: 'account',
  summary: 'The request fields of a service',
  callers: ['portal', 'delegate', 'account_client'],
  delegateRole: 'operator',
  rate: 'data',
  params: serviceId,
  query: Type.Object({
    include: Type.Optional(
      Type.Enum(['value_counts'], {
        description: 'Adds `value_count` to each row. Slower for a service with many customers.',
      }),
    ),
  }),
  success: { status: 200, about: 'The published rows', body: CountedRequestFields },
  errors: ['services.not_found', 'services.second_factor_required'],
})

export const publishRequestFields = defineOperation({
  id: 'services.publish_request_fields',
  method: 'PUT',
  path: '/api/services/{id}/request-fields',
  document: 'account',
  summary: 'Publish the request fields of a service',
  description: REPLACES,
  callers: ['portal', 'delegate', 'account_client'],
  rate: 'data',
  params: serviceId,
  body: Publication,
  success: { status: 200, about: 'The rows as they are published now', body: RequestFieldsOfPortal },
  errors: ['services.not_found', 'services.second_factor_required', ...PUBLISHING],
})
