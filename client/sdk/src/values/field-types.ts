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

/** What is wrong with a value, and where in it. */
export interface ValueProblem {
  /** Empty for the value as a whole; else members and positions on the way in. */
  readonly path: readonly (string | number)[]
  /** Stable, made to be switched on and translated. */
  readonly reason: string
  readonly sentence: string
}

/** A type with everything that it inherits. */
export interface ResolvedType {
  readonly type: string
  /** False for a type that the registry does not carry; such a type accepts any value. */
  readonly known: boolean
  readonly input: string | null
  readonly lane: 'inline' | 'photo' | 'document' | null
  readonly options: readonly string[] | null
  /** The keys of a composite, or the entries beside a file. */
  readonly entries: readonly { readonly key: string; readonly required: boolean }[]
}

/** The field types of the platform as they were when they were read. The platform adds types; none of them is fixed here. */
export class FieldTypes {
  readonly #registry: Registry
  /** The rows as they came. */
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

  /** Its values are files, which are fetched instead of standing in the answer. */
  isFile(type: string): boolean {
    return isBinary(resolveType(this.#registry, type))
  }

  /** Whether a field of type `given` may answer a row that asks for `requested`. */
  accepts(requested: string, given: string): boolean {
    return accepts(this.#registry, requested, given)
  }

  /** The problems of a text that was received; none for an empty one and for a type that is unknown here. */
  validate(type: string, text: string): readonly ValueProblem[] {
    return problemsOf(validateValue(this.#registry, type, text))
  }

  /** The problems of a text that is about to be sealed: a file must be complete and not too large as well. */
  validateWrite(type: string, text: string): readonly ValueProblem[] {
    return problemsOf(validateWrite(this.#registry, type, text))
  }

  /** A valid value as it is best sealed: web addresses with their scheme, card numbers as digits, numbers trimmed. */
  normalise(type: string, text: string): string {
    return normaliseValue(this.#registry, type, text)
  }

  /** The text as a value of its type; what does not fit its type stays text. */
  parse(type: string, text: string): TypedValue {
    return parsePlaintext(resolveType(this.#registry, type), text)
  }
}

function problemsOf(verdict: ReturnType<typeof validateValue>): readonly ValueProblem[] {
  if (verdict.ok) return []
  return verdict.refusal.map(({ path, reason }) => ({ path, reason, sentence: valueReasons[reason] }))
}
