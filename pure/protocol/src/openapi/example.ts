import type { TObject } from 'typebox'
import { asJson, isList, isObject, type Json, type JsonObject } from './components.ts'

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
