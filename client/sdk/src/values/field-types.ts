import {
  accepts,
  isBinary,
  normaliseValue,
  readRegistry,
  type Registry,
  resolveType,
  validateValue,
  validateWrite,
  valueReasons,
} from '@sealpost/field-types'
import type { TypedValue } from './typed-value.ts'
import { parsePlaintext } from './typed.ts'

/** A problem of a value and its place in the value. */
export interface ValueProblem {
  /** Empty for the value as a whole; else the members and positions that lead to it. */
  readonly path: readonly (string | number)[]
  /** A stable key to switch on and to translate. */
  readonly reason: string
  readonly sentence: string
}

/** A type with its inherited members. */
export interface ResolvedType {
  readonly type: string
  /** False for a type that is not in the registry; such a type accepts any value. */
  readonly known: boolean
  readonly input: string | null
  readonly lane: 'inline' | 'photo' | 'document' | null
  readonly options: readonly string[] | null
  /** The keys of a composite, or the entries beside a file. */
  readonly entries: readonly { readonly key: string; readonly required: boolean }[]
}

/** A snapshot of the platform's field types. The platform adds types, so none of them is hard-coded here. */
export class FieldTypes {
  readonly #registry: Registry
  /** The rows as received. */
  readonly rows: readonly unknown[]

  constructor(rows: readonly unknown[]) {
    this.rows = rows
    this.#registry = readRegistry(rows)
  }

  resolve(type: string): ResolvedType {
    const { known, input, lane, options, fields } = resolveType(this.#registry, type)
    const entries = (fields ?? []).map(({ key, required }) => ({ key, required }))
    return { type, known, input, lane, options, entries }
  }

  /** Whether its values are files, which are downloaded separately. */
  isFile(type: string): boolean {
    return isBinary(resolveType(this.#registry, type))
  }

  /** Whether a field of type `given` may answer a row of type `requested`. */
  accepts(requested: string, given: string): boolean {
    return accepts(this.#registry, requested, given)
  }

  /** The problems of a received text; none for an empty text or an unknown type. */
  validate(type: string, text: string): readonly ValueProblem[] {
    return problemsOf(validateValue(this.#registry, type, text))
  }

  /** The problems of a text before sealing: a file must also be complete and within the size limit. */
  validateWrite(type: string, text: string): readonly ValueProblem[] {
    return problemsOf(validateWrite(this.#registry, type, text))
  }

  /** The normal form of a valid value: web addresses with their scheme, card numbers as digits, numbers trimmed. */
  normalise(type: string, text: string): string {
    return normaliseValue(this.#registry, type, text)
  }

  /** The text as a value of its type; a text that does not fit stays text. */
  parse(type: string, text: string): TypedValue {
    return parsePlaintext(resolveType(this.#registry, type), text)
  }
}

function problemsOf(verdict: ReturnType<typeof validateValue>): readonly ValueProblem[] {
  if (verdict.ok) return []
  return verdict.refusal.map(({ path, reason }) => ({ path, reason, sentence: valueReasons[reason] }))
}
