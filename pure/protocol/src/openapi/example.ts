import { EXAMPLE_TEXTS } from '../wire/scalars.ts'
import { documentedSchema } from './documented.ts'
import { isList, isObject, type Json, type JsonObject } from './json.ts'

/**
 * An example value of a schema. `examples` of a schema take precedence; of the members of an object it shows the
 * required ones, or all where none is required.
 */
export function exampleOf(schema: unknown): Json {
  return example(documentedSchema(schema))
}

function example(schema: Json | undefined, name = ''): Json {
  if (!isObject(schema)) return null
  const { anyOf, const: only, default: usual, enum: choices, examples, oneOf } = schema
  if (isList(examples)) return examples[0] ?? null
  if (only !== undefined) return only
  if (usual !== undefined) return usual
  if (isList(choices)) return choices[0] ?? null
  const branches = anyOf ?? oneOf
  if (isList(branches)) return example(branches[0], name)
  return exampleOfType(schema, name)
}

function exampleOfType(schema: JsonObject, name: string): Json {
  const { items, minimum, type } = schema
  const first = isList(type) ? type[0] : type
  switch (typeof first === 'string' ? first : 'string') {
    case 'object':
      return exampleMembers(schema)
    case 'array':
      return [example(items, name)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return typeof minimum === 'number' && minimum > 1 ? minimum : 1
    case 'null':
      return null
    default:
      return exampleText(schema, name)
  }
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '1990-04-23',
  'date-time': EXAMPLE_TEXTS.timestamp,
  uuid: EXAMPLE_TEXTS.uuid,
}

/** A usual text for a member of this name. */
const BY_NAME: Readonly<Record<string, string>> = {
  admin_email: 'desk@example.com',
  api_url: 'https://eu.sealpost.example',
  client_id: 'svc_NorthwindClinicDemo00001',
  code: '123456',
  company_name: 'Northwind Clinic',
  display_name: 'Mara Lindqvist',
  email: 'mara@persons.example',
  key: 'city',
  label: 'Where you live',
  language: 'en',
  name: 'Rentals',
  region: 'eu',
  redirect_to: 'https://app.example.com/callback?code=…',
  redirect_uri: 'https://app.example.com/callback',
  service_code: 'RENTALS',
  service_name: 'Rentals',
  service_share_code: 'RENTALS',
  slug: 'home',
  type: 'address',
  url: 'https://hooks.example.com/sealpost',
  value_url: `/api/company-data/connections/${EXAMPLE_TEXTS.uuid}/slots/${EXAMPLE_TEXTS.uuid}/file`,
}

function exampleText({ format }: JsonObject, name: string): string {
  return (typeof format === 'string' ? BY_FORMAT[format] : undefined) ?? BY_NAME[name] ?? 'text'
}

function exampleMembers({ additionalProperties, patternProperties, properties, required }: JsonObject): JsonObject {
  const members = Object.entries(isObject(properties) ? properties : {})
  if (members.length === 0) return exampleEntries(patternProperties, additionalProperties)
  const needed = isList(required) ? required : []
  const shown = members.filter(([name]) => needed.includes(name))
  const chosen = shown.length === 0 ? members : shown
  return Object.fromEntries(chosen.map(([name, member]) => [name, example(member, name)]))
}

/** For an object whose names are the caller's own. */
function exampleEntries(patterned: Json | undefined, additional: Json | undefined): JsonObject {
  const [schema] = isObject(patterned) ? Object.values(patterned) : [additional]
  return isObject(schema) ? { name: example(schema, 'name') } : {}
}
