import type { MemberTree } from '@sealpost/kernel'
import type { Operation } from './operation.ts'

/**
 * The members that the body of a write may have. Members that only the answer has are ignored on purpose: a caller may
 * send back what it read. Null for an operation without a JSON body.
 */
export function memberTreeOf({ method, body, bodyType, success }: Operation): MemberTree | null {
  if (method === 'GET' || body === undefined || bodyType === 'form') return null
  const tree = treeOf([body])
  const answer = success.body === undefined ? null : treeOf([success.body])
  return tree === null || answer === null ? tree : withIgnored(tree, answer)
}

type Schema = Readonly<Record<string, unknown>>

/** Null where any content is allowed, or none that has members. */
function treeOf(schemas: readonly unknown[]): MemberTree | null {
  const objects = alternativesOf(schemas)
  if (objects === null || objects.length === 0) return null
  const members = new Map<string, unknown[]>()
  for (const { properties } of objects)
    for (const [name, schema] of Object.entries(properties ?? {}))
      members.set(name, [...(members.get(name) ?? []), schema])
  return Object.fromEntries([...members].map(([name, below]) => [name, treeOf(below)]))
}

/** The objects among the alternatives, and those in their lists; null when one of them is not limited. */
function alternativesOf(schemas: readonly unknown[]): readonly Schema[] | null {
  const objects: Schema[] = []
  for (const schema of schemas) {
    if (!isSchema(schema)) continue
    const below = [schema['anyOf'], schema['oneOf'], schema['allOf']].filter((each) => Array.isArray(each)).flat()
    const inner = below.length > 0 ? below : 'items' in schema ? [schema['items']] : null
    if (inner !== null) {
      const found = alternativesOf(inner)
      if (found === null) return null
      objects.push(...found)
    } else if (isObject(schema)) {
      if (isOpen(schema)) return null
      objects.push(schema)
    } else if (!hasType(schema)) return null
  }
  return objects
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null
}

function isObject({ type }: Schema): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function isOpen({ properties, additionalProperties, patternProperties }: Schema): boolean {
  const hasMore = additionalProperties !== undefined && additionalProperties !== false
  return properties === undefined || hasMore || patternProperties !== undefined
}

/** A schema without a type, a constant or a list of values allows everything. */
function hasType(schema: Schema): boolean {
  return 'type' in schema || 'const' in schema || 'enum' in schema
}

function withIgnored(tree: MemberTree, answer: MemberTree): MemberTree {
  const merged: Record<string, MemberTree | null | false> = { ...tree }
  for (const [name, shown] of Object.entries(answer)) {
    const taken = Object.hasOwn(tree, name) ? tree[name] : undefined
    if (taken === undefined) merged[name] = false
    else if (taken !== null && taken !== false && shown !== null && shown !== false)
      merged[name] = withIgnored(taken, shown)
  }
  return merged
}
