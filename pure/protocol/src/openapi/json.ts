export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** A schema as plain data: the members that TypeBox keeps for the compiler are removed. */
export function asJson(schema: unknown): Json {
  const plain: unknown = JSON.parse(JSON.stringify(schema))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse gives is JSON
  return plain as Json
}

export function isObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !isList(node)
}

/** `Array.isArray` does not narrow read-only arrays. */
export function isList(node: Json | undefined): node is readonly Json[] {
  return Array.isArray(node)
}

export function asObject(node: Json): JsonObject {
  if (!isObject(node)) throw new Error('a schema must be an object')
  return node
}
