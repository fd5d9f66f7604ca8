import { type FilesToShare, writeEnvelope } from '../files/new-envelope.ts'
import type { FieldTypes, ValueProblem } from './field-types.ts'

/** A value in a program: a text, a number, choices, the parts of a composite, or files. */
export type PlainInput = string | number | readonly string[] | Readonly<Record<string, string>> | FilesToShare

/** The value is not valid for its type. Nothing was sent. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
  readonly type: string
  readonly problems: readonly ValueProblem[]

  constructor(what: string, type: string, problems: readonly ValueProblem[]) {
    // The value itself is left out: errors are logged.
    const sentences = problems.map(({ path, sentence }) =>
      path.length === 0 ? sentence : `${path.join('.')}: ${sentence}`,
    )
    super(`${what} is not a valid ${type}: ${sentences.join(' ')}`)
    this.type = type
    this.problems = problems
  }
}

/** The text to seal, validated by the live registry. `isExact`: an attestation covers the text, so it is not normalised. */
export function plaintextOf(
  types: FieldTypes,
  { what, type, isExact }: { readonly what: string; readonly type: string; readonly isExact: boolean },
  input: PlainInput,
): string {
  const given = writeInput(types, type, input)
  const problems = types.validateWrite(type, given)
  if (problems.length > 0) throw new ValueError(what, type, problems)
  return isExact ? given : types.normalise(type, given)
}

/** The text of a value, not validated. */
export function writeInput(types: FieldTypes, type: string, input: PlainInput): string {
  if (typeof input === 'string') return input
  if (typeof input === 'number') return String(input)
  return isFiles(input) ? writeEnvelope(types.resolve(type), input) : JSON.stringify(input)
}

/** Parts of a composite are texts; files and pages are objects. */
export function isFiles(input: PlainInput): input is FilesToShare {
  if (typeof input !== 'object' || Array.isArray(input)) return false
  return Object.values(input).some((part) => typeof part === 'object')
}
