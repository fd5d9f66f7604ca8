import type { VectorCase } from '../vector-case.ts'

export function named<Case extends { readonly name: string }>(
  list: string,
  cases: readonly Case[],
  check: (found: Case) => void | Promise<void>,
): readonly VectorCase[] {
  return cases.map((found) => ({ name: `${list}: ${found.name}`, run: () => check(found) }))
}

export function expectSame(what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return
  throw new Error(`${what} is ${shown(actual)}, expected ${shown(expected)}`)
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 400)
}
