import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { FieldTypeEntries, Lane, Options } from '../wire/field-type.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { nullableText, NullableUuid, Uuid } from '../wire/scalars.ts'

/** The kind of profile that may fill a field. */
export const fieldUsertypes = ['person', 'company', 'any'] as const
export type FieldUsertype = (typeof fieldUsertypes)[number]

const FieldType = Type.Object(
  {
    type: Type.String({ description: 'Never changes.' }),
    parent: nullableText({ description: 'The type that null columns are inherited from.' }),
    label: Type.String({ description: 'A translation key where `is_system`, else the text itself.' }),
    input: nullableText({ description: 'The primitive that renders and shapes the value.' }),
    lane: Lane,
    check: nullableText(),
    options: Options,
    fields: FieldTypeEntries,
    validation: nullableText({
      description: 'A regex without anchors, matched against the whole value, in addition to those of all ancestors.',
    }),
    is_system: Type.Boolean(),
  },
  { title: 'FieldType' },
)

export const listFieldTypes = defineOperation({
  id: 'registry.list_types',
  method: 'GET',
  path: '/api/contact-field-types',
  document: 'account',
  summary: 'The registry of field types',
  description:
    'Raw rows: a null column is inherited from the nearest ancestor that sets it. Read it instead of a hard-coded list, ' +
    'because operators add types.',
  callers: ['service_client', 'account_client', 'portal', 'delegate', 'person'],
  delegateRole: 'operator',
  rate: 'data',
  jsonOnly: true,
  success: { status: 200, about: 'Every row', body: Type.Array(FieldType), revalidates: true },
  errors: [],
})

const slug = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' })
const label = Type.String({ minLength: 1, maxLength: 100, pattern: String.raw`^\S(.*\S)?$` })
const type = Type.String({ minLength: 1, maxLength: 40, description: 'A type of the registry.' })
const usertype = Type.Enum([...fieldUsertypes], { description: 'The kind of profile that may fill it.' })

const ContactField = Type.Object(
  {
    id: Uuid,
    slug: Type.String(),
    label: Type.String(),
    type: Type.String(),
    usertype,
    is_system: Type.Boolean({ description: 'True for a field of the platform.' }),
    owner: NullableUuid,
  },
  { title: 'ContactField' },
)

const fieldId = Type.Object({ id: Type.String({ format: 'uuid', description: 'The id of the field.' }) })

export const listContactFields = defineOperation({
  id: 'registry.list_fields',
  method: 'GET',
  path: '/api/contact-fields',
  document: 'account',
  summary: 'The catalog of fields',
  description:
    "The fields of the platform, then the account's own. With `usertype` only those that carry exactly this value: " +
    'a person may fill the fields of `person` and those of `any`.',
  callers: ['service_client', 'account_client', 'portal', 'delegate', 'person'],
  delegateRole: 'operator',
  rate: 'data',
  query: Type.Object({ usertype: Type.Optional(usertype), ...pageQuery }),
  success: { status: 200, about: 'The fields, oldest first', body: pageOf(ContactField) },
  errors: [],
})

export const createContactField = defineOperation({
  id: 'registry.create_field',
  method: 'POST',
  path: '/api/contact-fields',
  document: 'account',
  summary: 'Add a field of your own',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  creates: true,
  body: Type.Object({
    slug: Type.Optional(Type.Union([slug, Type.Literal('')], { description: 'Derived from the label if blank.' })),
    label,
    type,
    usertype: Type.Optional(usertype),
  }),
  success: { status: 201, about: 'The field', body: ContactField },
  errors: [],
})

export const readContactField = defineOperation({
  id: 'registry.read_field',
  method: 'GET',
  path: '/api/contact-fields/{id}',
  document: 'account',
  summary: 'One field of the catalog',
  callers: ['service_client', 'account_client', 'portal', 'delegate', 'person'],
  delegateRole: 'operator',
  rate: 'data',
  params: fieldId,
  success: { status: 200, about: 'The field', body: ContactField },
  errors: [],
})

export const changeContactField = defineOperation({
  id: 'registry.change_field',
  method: 'PUT',
  path: '/api/contact-fields/{id}',
  document: 'account',
  summary: 'Change a field of your own',
  description: 'Absent members stay unchanged. Type and usertype are fixed once the field holds a value.',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  params: fieldId,
  body: Type.Object({
    slug: Type.Optional(slug),
    label: Type.Optional(label),
    type: Type.Optional(type),
    usertype: Type.Optional(usertype),
  }),
  success: { status: 200, about: 'The field', body: ContactField },
  errors: [],
})

export const deleteContactField = defineOperation({
  id: 'registry.delete_field',
  method: 'DELETE',
  path: '/api/contact-fields/{id}',
  document: 'account',
  summary: 'Remove a field of your own',
  description: 'Its value is deleted too, wherever it was shared live.',
  callers: ['account_client', 'portal', 'person'],
  rate: 'data',
  params: fieldId,
  success: { status: 204, about: 'The field is deleted' },
  errors: [],
})
