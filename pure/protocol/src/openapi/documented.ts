import { asJson, isList, isObject, type Json, type JsonObject } from './json.ts'

/** Keywords that hold values and not schemas. */
export const VALUE_KEYWORDS: readonly string[] = ['const', 'default', 'enum', 'examples']

/** How TypeBox writes a record. */
const EVERY_NAME = '^.*$'

/**
 * A schema as readers get it, in the documents and as a type of the SDK: members that a rule checks have the type that
 * the rule accepts, and a record has `additionalProperties`, because generators ignore patterns of names. See
 * [Note: members checked by rules].
 */
export function documentedSchema(schema: unknown): Json {
  return document(asJson(schema))
}

function document(node: Json): Json {
  if (isList(node)) return node.map(document)
  if (!isObject(node)) return node
  if (isObject(node['documented'])) return document(node['documented'])
  const members = Object.entries(node).map(([name, part]): [string, Json] => {
    if (VALUE_KEYWORDS.includes(name)) return [name, part]
    const entries = name === 'patternProperties' && isObject(part) ? part[EVERY_NAME] : undefined
    return entries === undefined ? [name, document(part)] : ['additionalProperties', document(entries)]
  })
  return { ...Object.fromEntries(members), ...requiredMembers(node) }
}

function requiredMembers({ properties, required }: JsonObject): JsonObject {
  if (!isObject(properties)) return {}
  const byRule = Object.entries(properties).filter(([, member]) => isObject(member) && member['isRequired'] === true)
  const known = isList(required) ? required : []
  return byRule.length === 0 ? {} : { required: [...known, ...byRule.map(([name]) => name)] }
}
