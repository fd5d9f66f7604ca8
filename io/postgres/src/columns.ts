import type { QueryResult } from 'pg'

/**
 * A column as a statement returns it. `integer` is any whole number that the driver reads as a number, `float` any other;
 * `date`, `numeric` and `text` are text in JavaScript, `timestamp` is a Date, `bytes` a Buffer, `json` the parsed value.
 */
export type ColumnType = keyof Scalars | `${ArrayItem}[]`
/** A trailing `?` allows null. */
type DeclaredType = ColumnType | `${ColumnType}?`

interface Scalars {
  readonly text: string
  readonly uuid: string
  readonly date: string
  readonly numeric: string
  readonly integer: number
  readonly float: number
  readonly boolean: boolean
  readonly timestamp: Date
  readonly bytes: Buffer
  readonly json: unknown
}

type ArrayItem = 'text' | 'uuid' | 'date' | 'integer' | 'boolean' | 'timestamp' | 'bytes' | 'json'

declare const row: unique symbol

/** The declared columns of a statement whose rows have the type `Row`. */
export interface Columns<Row> {
  readonly types: Readonly<Record<string, DeclaredType>>
  readonly [row]?: Row
}

/**
 * Declares the columns of a statement's rows: `columns<Service>({ id: 'uuid', name: 'text', endedAt: 'timestamp?' })`, or
 * without a type where the row has no name. The compiler compares them with the type, `checkRows` with PostgreSQL.
 */
export function columns<const Types extends Readonly<Record<string, DeclaredType>>>(
  types: Types,
): Columns<{ readonly [Name in keyof Types]: ValueOf<Types[Name]> }>
export function columns<Row extends object>(types: TypesOf<Row>): Columns<Row>
export function columns(types: Readonly<Record<string, DeclaredType>>): Columns<unknown> {
  return { types }
}

type ValueOf<Type> = Type extends `${infer Base}?` ? NonNullValue<Base> | null : NonNullValue<Type>
type NonNullValue<Type> = Type extends `${infer Item extends ArrayItem}[]`
  ? readonly Scalars[Item][]
  : Type extends keyof Scalars
    ? Scalars[Type]
    : never

type TypesOf<Row> = { readonly [Name in keyof Row]-?: TypeOf<Row[Name]> }
type TypeOf<Value> = null extends Value ? `${BaseOf<NonNullable<Value>>}?` : BaseOf<Value>
type BaseOf<Value> = [Value] extends [readonly (infer Item)[]] ? `${ItemOf<Item>}[]` | 'json' : ScalarOf<Value>
type ItemOf<Item> = Extract<ScalarOf<NonNullable<Item>>, ArrayItem>
type ScalarOf<Value> = [Value] extends [string]
  ? 'text' | 'uuid' | 'date' | 'numeric' | 'json'
  : [Value] extends [number]
    ? 'integer' | 'float' | 'json'
    : [Value] extends [boolean]
      ? 'boolean' | 'json'
      : [Value] extends [Date]
        ? 'timestamp'
        : [Value] extends [Uint8Array]
          ? 'bytes'
          : 'json'

/** A statement returned other columns than it declares: rename, cast or declare them. */
export class RowShapeError extends Error {
  override readonly name = 'RowShapeError'
}

let isChecking = false

/**
 * For tests and development: from now on a statement whose result differs from its declared columns throws. Names and types
 * are compared once per statement, nulls in every row. In production nothing is compared.
 */
export function checkRows(): void {
  isChecking = true
}

export function checkResult(
  text: string,
  expected: Columns<unknown>,
  result: QueryResult<Record<string, unknown>>,
): void {
  if (!isChecking) return
  const problems = [...fieldProblems(text, expected, result.fields), ...nullProblems(expected, result.rows)]
  if (problems.length > 0) throw new RowShapeError(`${problems.join('; ')} in: ${text.trim()}`)
}

const knownTexts = new WeakMap<Columns<unknown>, Set<string>>()

function fieldProblems(text: string, expected: Columns<unknown>, fields: QueryResult['fields']): readonly string[] {
  const known = knownTexts.get(expected) ?? new Set()
  if (known.has(text)) return []
  const returned = fields.map(({ name }) => name)
  const problems = [
    ...Object.keys(expected.types).flatMap((name) => (returned.includes(name) ? [] : [`column ${name} is missing`])),
    ...returned.flatMap((name, index) => (returned.indexOf(name) < index ? [`column ${name} is returned twice`] : [])),
    ...fields.flatMap(({ name, dataTypeID }) => typeProblem(name, dataTypeID, expected.types[name])),
  ]
  if (problems.length === 0) knownTexts.set(expected, known.add(text))
  return problems
}

function typeProblem(name: string, oid: number, declared: DeclaredType | undefined): readonly string[] {
  if (declared === undefined) return [`column ${name} is not declared`]
  const actual = TYPE_OF_OID.get(oid) ?? `of the type with oid ${oid}`
  return actual === baseOf(declared) ? [] : [`column ${name} is ${actual}, declared ${declared}`]
}

function nullProblems(
  expected: Columns<unknown>,
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly string[] {
  const required = Object.entries(expected.types).flatMap(([name, type]) => (type.endsWith('?') ? [] : [name]))
  const isNull = (name: string): boolean => rows.some((found) => found[name] === null)
  return required.flatMap((name) => (isNull(name) ? [`column ${name} is null in a row`] : []))
}

function baseOf(declared: DeclaredType): string {
  return declared.replace('?', '')
}

/** The OIDs of PostgreSQL's own types never change. */
const OIDS = {
  text: [25, 1043, 1042, 19, 18],
  uuid: [2950],
  date: [1082],
  numeric: [1700],
  integer: [20, 21, 23],
  float: [700, 701],
  boolean: [16],
  timestamp: [1184],
  bytes: [17],
  json: [114, 3802],
  'text[]': [1009, 1015],
  'uuid[]': [2951],
  'date[]': [1182],
  'integer[]': [1005, 1007, 1016],
  'boolean[]': [1000],
  'timestamp[]': [1185],
  'bytes[]': [1001],
  'json[]': [199, 3807],
} satisfies Record<ColumnType, readonly number[]>

const TYPE_OF_OID: ReadonlyMap<number, string> = new Map(
  Object.entries(OIDS).flatMap(([type, oids]) => oids.map((oid) => [oid, type] as const)),
)
