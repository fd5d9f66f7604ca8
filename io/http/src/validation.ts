import { type ApiError, refuse } from '@sealpost/protocol'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { type Fault, pointerStep } from './body/json.ts'

/** Returns the problems of a value, or null; compiled once per schema. Nothing is coerced and nothing removed. */
export type Inspect = (value: unknown) => readonly Fault[] | null

/** The source of a value, as the first step of every path: `/body/name`, `/query/limit`. */
export type Part = 'body' | 'query' | 'headers' | 'path'

interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): TLocalizedValidationError[]
}

/** The narrow call type: otherwise the compiler computes the static type of any schema, a second per project. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- narrows a generic
const compile = Compile as unknown as (schema: TSchema) => Validator

const inspections = new WeakMap<TSchema, Inspect>()

export function compileInspection(schema: TSchema): Inspect {
  // Routes share schemas, and a test process opens the same server hundreds of times.
  const known = inspections.get(schema)
  if (known !== undefined) return known
  const validator = compile(schema)
  const inspect: Inspect = (value) => (validator.Check(value) ? null : explain(validator.Errors(value)))
  inspections.set(schema, inspect)
  return inspect
}

export function invalid(part: Part, faults: readonly Fault[]): ApiError {
  const details = faults
    .slice(0, MOST_DETAILS)
    .map(({ path, message }) => ({ path: clip(`/${part}${path}`), message: clip(message) }))
  return refuse('request.invalid', { details })
}

const MOST_DETAILS = 20
const LONGEST_TEXT = 200

/** A path repeats names that the caller chose; a megabyte of name must not return as a megabyte of answer. */
function clip(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text
}

function explain(errors: readonly TLocalizedValidationError[]): readonly Fault[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
  const inUnion = (error: TLocalizedValidationError): boolean =>
    unions.some((union) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`))
  // Each branch of a union reports its own errors: the sentence about the union as a whole is the readable one.
  const faults = errors.filter((error) => !inUnion(error)).flatMap(faultsOf)
  return faults.length > 0 ? faults : [{ path: '', message: 'does not have the expected shape' }]
}

function faultsOf(error: TLocalizedValidationError): readonly Fault[] {
  const path = error.instancePath
  const at = (name: string, message: string): Fault => ({ path: path + pointerStep(name), message })
  if (error.keyword === 'required') return error.params.requiredProperties.map((name) => at(name, 'is required'))
  if (error.keyword === 'additionalProperties') {
    return error.params.additionalProperties.map((name) => at(name, 'is not a known member'))
  }
  // `additionalProperties: false` reports each such member a second time.
  return error.keyword === 'boolean' ? [] : [{ path, message: messageOf(error) }]
}

/** Query parameters are texts: these patterns are those of numbers. */
const NUMBERS: Readonly<Record<string, string>> = {
  '^[0-9]+$': 'must be a whole number',
  '^0*[1-9][0-9]*$': 'must be a whole number, at least 1',
}

/** TypeBox's own sentences are fine for sizes and ranges; these replace the ones that a reader could not act on. */
function messageOf(error: TLocalizedValidationError): string {
  const { keyword, params } = error
  if (keyword === 'type') return `must be ${[params.type].flat().map(withArticle).join(' or ')}`
  if (keyword === 'enum')
    return `must be one of ${params.allowedValues.map((value) => JSON.stringify(value)).join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'anyOf' || keyword === 'oneOf') return 'has none of the allowed shapes'
  if (keyword === 'pattern') return NUMBERS[String(params.pattern)] ?? `must match ${String(params.pattern)}`
  if (keyword === 'format') return `must be a valid ${params.format}`
  return error.message
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
