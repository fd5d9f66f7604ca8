import type { VectorCase } from '../vector-case.ts'

export interface Named {
  readonly name: string
}

/** The cases of one list of a vector file, each to be run by `check`. */
export function casesOf<Row extends Named>(
  file: unknown,
  list: string,
  check: (row: Row) => void | Promise<void>,
): readonly VectorCase[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as documented; another shape fails as a case
  const rows = (file as Readonly<Record<string, readonly Row[] | undefined>>)[list]
  if (rows === undefined) throw new Error(`the vector file has no list "${list}"`)
  return rows.map((row) => ({ name: `${list}: ${row.name}`, run: () => check(row) }))
}

/** Deep and exact: minus zero is not zero, a missing member is not null. */
export function mustEqual(actual: unknown, expected: unknown): void {
  if (!isSame(actual, expected)) throw new Error(`expected ${show(expected)}, got ${show(actual)}`)
}

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return left.size === right.size && [...left].every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
}

function show(value: unknown): string {
  return Object.is(value, -0) ? '-0' : (JSON.stringify(value) ?? String(value))
}
