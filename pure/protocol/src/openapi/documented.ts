import { asJson, isList, isObject, type Json, type JsonObject } from './json.ts'

/** Keywords that hold values and not schemas. */
export const VALUE_KEYWORDS: readonly string[] = ['const', 'default', 'enum', 'examples']

/**
 * A schema as readers get it, in the documents and as a type of the SDK: members that a rule checks have the type that
 * the rule accepts. See [Note: members checked by rules].
 */
export function documentedSchema(schema: unknown): Json {
  return document(asJson(schema))
}

function document(node: Json): Json {
  if (isList(node)) return node.map(document)
  if (!isObject(node)) return node
  if (isObject(node['documented'])) return document(node['documented'])
  const members = Object.entries(node).map(([name, part]): [string, Json] => [
    name,
    VALUE_KEYWORDS.includes(name) ? part : document(part),
  ])
  return { ...Object.fromEntries(members), ...requiredMembers(node) }
}

function requiredMembers({ properties, required }: JsonObject): JsonObject {
  if (!isObject(properties)) return {}
  const byRule = Object.entries(properties).filter(([, member]) => isObject(member) && member['isRequired'] === true)
  const known = isList(required) ? required : []
  return byRule.length === 0 ? {} : { required: [...known, ...byRule.map(([name]) => name)] }
}
