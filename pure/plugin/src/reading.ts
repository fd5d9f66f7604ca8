/** A member of a JSON document that breaks a rule. */
export interface Problem {
  /** Names joined by dots: `field_types.0.blocks.1.key`; empty for the whole document. */
  readonly path: string
  readonly problem: string
}

/** Readers add problems and go on with a default, so that an author sees all of them at once. */
export type Problems = Problem[]

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Own members only: `constructor` is an ordinary name. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

export function below(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`
}

/** A reader of one value at a place. */
export type Read<T> = (problems: Problems, value: unknown, path: string) => T

export function readObject(problems: Problems, value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return value
  problems.push({ path, problem: `must be an object, not ${typeName(value)}` })
  return {}
}

export function readText(problems: Problems, value: unknown, path: string, limit: number): string {
  if (typeof value !== 'string') problems.push({ path, problem: `must be a text, not ${typeName(value)}` })
  else if (value.trim() === '') problems.push({ path, problem: 'must not be empty' })
  else if (value.length > limit) problems.push({ path, problem: `must have at most ${limit} characters` })
  else return value
  return ''
}

export function readList<T>(
  problems: Problems,
  value: unknown,
  path: string,
  limit: number,
  read: Read<T>,
): readonly T[] {
  if (!Array.isArray(value)) {
    problems.push({ path, problem: `must be a list, not ${typeName(value)}` })
    return []
  }
  if (value.length > limit) {
    problems.push({ path, problem: `must have at most ${limit} entries, not ${value.length}` })
    return []
  }
  return value.map((item: unknown, at) => read(problems, item, below(path, at)))
}

export function typeName(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
