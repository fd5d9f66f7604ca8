import { isKey } from '@sealpost/expression'
import { DEFINITION_LIMITS as LIMITS, PROBLEMS_SHOWN } from './limits.ts'
import { pointer, type JsonPointer } from './pointer.ts'

export interface DefinitionProblem {
  readonly path: JsonPointer
  readonly problem: string
}

/** Readers report a problem and continue with a default, so that an author sees all problems at once. */
export interface Notes {
  readonly problems: DefinitionProblem[]
}

export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object that is being read, and its place. */
export interface Members {
  readonly notes: Notes
  readonly at: JsonPointer
  readonly object: JsonObject
}

export type Read<T> = (notes: Notes, value: unknown, at: JsonPointer) => T

export function note(notes: Notes, at: JsonPointer, problem: string): void {
  if (notes.problems.length < PROBLEMS_SHOWN) notes.problems.push({ path: at, problem })
}

export function readMembers(notes: Notes, value: unknown, at: JsonPointer): Members {
  if (isJsonObject(value)) return { notes, at, object: value }
  note(notes, at, 'must be an object')
  return { notes, at, object: {} }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Only own members count: `constructor` is an ordinary name. */
export function member(from: Members, name: string): unknown {
  return Object.hasOwn(from.object, name) ? from.object[name] : undefined
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

export function readText(from: Members, name: string, limit: number): string {
  return textAt(from.notes, member(from, name), pointer(from.at, name), limit)
}

export function readTextOr<Otherwise>(
  from: Members,
  name: string,
  limit: number,
  otherwise: Otherwise,
): string | Otherwise {
  return isAbsent(member(from, name)) ? otherwise : readText(from, name, limit)
}

export function textAt(notes: Notes, value: unknown, at: JsonPointer, limit: number): string {
  if (typeof value !== 'string') note(notes, at, 'must be a text')
  else if (value.length > limit) note(notes, at, `must have at most ${limit} characters`)
  else return value
  return ''
}

export function readKey(from: Members, name: string): string {
  const key = readText(from, name, LIMITS.nameCharacters)
  if (!isKey(key)) note(from.notes, pointer(from.at, name), KEY_PROBLEM)
  return key
}

const KEY_PROBLEM = `must begin with a-z and go on with a-z, 0-9 and _, at most ${LIMITS.keyCharacters} characters`

export function readFlag(from: Members, name: string): boolean {
  const value = member(from, name)
  if (isAbsent(value)) return false
  if (typeof value !== 'boolean') note(from.notes, pointer(from.at, name), 'must be true or false')
  return value === true
}

export function readNumberOr<Otherwise>(from: Members, name: string, otherwise: Otherwise): number | Otherwise {
  const value = member(from, name)
  if (isAbsent(value)) return otherwise
  if (typeof value === 'number' && Number.isFinite(value)) return value
  note(from.notes, pointer(from.at, name), 'must be a number')
  return otherwise
}

export function readPositiveOr<Otherwise>(from: Members, name: string, otherwise: Otherwise): number | Otherwise {
  const value = readNumberOr(from, name, otherwise)
  if (typeof value === 'number' && value <= 0) note(from.notes, pointer(from.at, name), 'must be above zero')
  return value
}

/** An absent list is an empty one. */
export function readList<T>(from: Members, name: string, limit: number, read: Read<T>): readonly T[] {
  const value = member(from, name)
  return isAbsent(value) ? [] : listAt(from.notes, value, pointer(from.at, name), limit, read)
}

export function listAt<T>(notes: Notes, value: unknown, at: JsonPointer, limit: number, read: Read<T>): readonly T[] {
  if (!Array.isArray(value)) {
    note(notes, at, 'must be a list')
    return []
  }
  if (value.length > limit) {
    note(notes, at, `must have at most ${limit} entries`)
    return []
  }
  return value.map((item: unknown, place) => read(notes, item, pointer(at, place)))
}

export function readOneOf<const Choice extends string>(
  from: Members,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const value = member(from, name)
  const choice = choices.find((one) => one === value)
  if (choice === undefined) note(from.notes, pointer(from.at, name), `must be one of ${choices.join(', ')}`)
  return choice ?? choices[0]
}

export function readOneOfOr<const Choice extends string, Otherwise>(
  from: Members,
  name: string,
  choices: readonly [Choice, ...Choice[]],
  otherwise: Otherwise,
): Choice | Otherwise {
  return isAbsent(member(from, name)) ? otherwise : readOneOf(from, name, choices)
}

/** Any JSON value; absent and null are the same. */
export function readAny(from: Members, name: string): unknown {
  return member(from, name) ?? undefined
}

type Present<T> = { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** Leaves out the members that are undefined: absent on the wire stays absent. */
export function present<T extends object>(members: T): Present<T> {
  const kept = Object.entries(members).filter(([, value]) => value !== undefined)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says exactly what the filter does
  return Object.fromEntries(kept) as Present<T>
}
