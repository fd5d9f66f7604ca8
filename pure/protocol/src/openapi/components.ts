import type { TSchema } from 'typebox'
import { documentedSchema, VALUE_KEYWORDS } from './documented.ts'
import { asObject, isList, isObject, type Json, type JsonObject } from './json.ts'

/**
 * Collects the components that the operations of one document share while they are printed. Two hundred routes answer
 * the same few refusals: repeated at each route, the documents would be megabytes. See also [Note: named schemas].
 */
export interface Components {
  readonly schemas: Map<string, JsonObject>
  readonly responses: Map<string, JsonObject>
  readonly examples: Map<string, JsonObject>
}

export function createComponents(): Components {
  return { schemas: new Map(), responses: new Map(), examples: new Map() }
}

/** Adds a component and returns a reference to it. */
export function define(kind: keyof Components, name: string, value: JsonObject, components: Components): JsonObject {
  const known = components[kind].get(name)
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(value)) {
    throw new Error(`two different ${kind} have the name ${name}: give one of them another title`)
  }
  components[kind].set(name, value)
  return { $ref: `#/components/${kind}/${name}` }
}

/** The schema as it stands in the document: every titled part is replaced by a reference to its component. */
export function printSchema(schema: TSchema, components: Components): JsonObject {
  return asObject(print(documentedSchema(schema), components))
}

/** Like `printSchema`, but a schema without a title becomes a component of the given name. */
export function printNamed(name: string, schema: TSchema, components: Components): JsonObject {
  const printed = printSchema(schema, components)
  return '$ref' in printed ? printed : define('schemas', name, printed, components)
}

function print(node: Json, components: Components): Json {
  if (isList(node)) return node.map((part) => print(part, components))
  if (!isObject(node)) return node
  const { title, ...rest } = node
  const isNamed = typeof title === 'string'
  const members = Object.entries(isNamed ? rest : node)
  const printed = {
    ...typeOfValues(node),
    ...Object.fromEntries(
      members.map(([name, part]) => [name, VALUE_KEYWORDS.includes(name) ? part : print(part, components)]),
    ),
  }
  return isNamed ? define('schemas', title, printed, components) : printed
}

/** `enum` and `const` say the type only to a reader of JSON Schema: generators ask for the keyword. */
function typeOfValues({ const: only, enum: choices, type }: JsonObject): JsonObject {
  if (type !== undefined) return {}
  const values = only === undefined ? choices : [only]
  if (!isList(values)) return {}
  const types = [...new Set(values.map(typeOfValue))]
  const [first] = types
  return first !== undefined && types.length === 1 ? { type: first } : { type: types }
}

function typeOfValue(value: Json): string {
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}
