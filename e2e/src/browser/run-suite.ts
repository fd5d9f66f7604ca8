import type { VectorCase } from '@sealpost/testkit/vector-case'
import { SUITES } from './suites.ts'

/**
 * The files of one suite by path, as text, which every environment parses itself: members named `__proto__` and lone
 * surrogates could change when values are passed between environments.
 */
export interface SuiteRun {
  readonly suite: string
  readonly texts: Readonly<Record<string, string>>
}

export interface Outcome {
  readonly name: string
  readonly error: string | null
}

/** Runs all cases in order, also after a failure. */
export async function runSuite(run: SuiteRun): Promise<readonly Outcome[]> {
  return runCases(suiteCases(run))
}

export function suiteCases({ suite, texts }: SuiteRun): readonly VectorCase[] {
  return (SUITES[suite] ?? []).flatMap(({ path, cases }) => {
    const text = texts[path]
    if (text === undefined) return []
    return cases(JSON.parse(text)).map((vector) => ({ name: `${path}: ${vector.name}`, run: () => vector.run() }))
  })
}

export async function runCases(cases: readonly VectorCase[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const vector of cases) outcomes.push({ name: vector.name, error: await errorOf(vector) })
  return outcomes
}

async function errorOf(vector: VectorCase): Promise<string | null> {
  try {
    await vector.run()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : `threw ${String(error)}`
  }
}
