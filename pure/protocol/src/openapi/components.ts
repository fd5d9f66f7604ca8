import type { TSchema, TObject } from 'typebox'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

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
  return asObject(print(asJson(schema), components))
}

/** Like `printSchema`, but a schema without a title becomes a component of the given name. */
export function printNamed(name: string, schema: TSchema, components: Components): JsonObject {
  const printed = printSchema(schema, components)
  return '$ref' in printed ? printed : define('schemas', name, printed, components)
}

/** Keywords that hold values and not schemas: a `title` in them is data. */
const VALUES: readonly string[] = ['const', 'default', 'enum', 'examples']

function print(node: Json, components: Components): Json {
  if (isList(node)) return node.map((part) => print(part, components))
  if (!isObject(node)) return node
  const { title, ...rest } = node
  const isNamed = typeof title === 'string'
  const members = Object.entries(isNamed ? rest : node)
  const printed = Object.fromEntries(
    members.map(([name, part]) => [name, VALUES.includes(name) ? part : print(part, components)]),
  )
  return isNamed ? define('schemas', title, printed, components) : printed
}

/** A schema as plain data: the members that TypeBox keeps for the compiler are removed. */
export function asJson(schema: unknown): Json {
  const plain: unknown = JSON.parse(JSON.stringify(schema))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gives is JSON
  return plain as Json
}

export function isObject(node: Json): node is JsonObject {
  return typeof node === 'object' && node !== null && !isList(node)
}

/** `Array.isArray` does not narrow read-only arrays. */
export function isList(node: Json | undefined): node is readonly Json[] {
  return Array.isArray(node)
}

function asObject(node: Json): JsonObject {
  if (!isObject(node)) throw new Error('a schema must be an object')
  return node
}

/** An example value for the members of an error; schemas with `examples` use theirs. */
export function exampleOf(schema: TObject): JsonObject {
  return exampleMembers(asJson(schema.properties))
}

function example(schema: Json): Json {
  if (!isObject(schema)) return null
  const { enum: choices, examples, items, properties, type } = schema
  if (isList(examples)) return examples[0] ?? null
  if (isList(choices)) return choices[0] ?? null
  if (type === 'array') return [example(items ?? null)]
  if (type === 'object') return exampleMembers(properties ?? {})
  return 'text'
}

function exampleMembers(properties: Json): JsonObject {
  if (!isObject(properties)) return {}
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, example(member)]))
}
