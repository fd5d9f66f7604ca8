import type { Requirement } from './requirements.ts'
import { ruleIds, type TestOutcome } from './results.ts'

/**
 * `shown`: a passing test in a passing file names the rule, and no failing test does. `failing`: a test that names the
 * rule, or the file of one, failed. `missing`: no test that ran names it. A unit test without an assertion fails
 * (`expect.requireAssertions`).
 */
export type Standing = 'shown' | 'failing' | 'missing'

export interface Verdict {
  readonly standings: readonly { readonly requirement: Requirement; readonly standing: Standing }[]
  /** Tests that name an unknown rule: a misspelt id would otherwise count for nothing, unnoticed. */
  readonly unknown: readonly { readonly id: string; readonly test: string }[]
}

export function assess(
  all: readonly Requirement[],
  selected: readonly Requirement[],
  outcomes: readonly TestOutcome[],
): Verdict {
  const known = new Set(all.map(({ id }) => id))
  const named = outcomes.flatMap((outcome) => ruleIds(outcome.name).map((id) => ({ id, outcome })))
  const byRule = Map.groupBy(named, ({ id }) => id)
  return {
    standings: selected.map((requirement) => ({
      requirement,
      standing: standingOf((byRule.get(requirement.id) ?? []).map(({ outcome }) => outcome)),
    })),
    unknown: named.filter(({ id }) => !known.has(id)).map(({ id, outcome }) => ({ id, test: outcome.name })),
  }
}

function standingOf(outcomes: readonly TestOutcome[]): Standing {
  const ran = outcomes.filter(({ hasPassed, hasFailed }) => hasPassed || hasFailed)
  if (ran.some(({ hasFailed }) => hasFailed)) return 'failing'
  if (ran.some(({ isFilePassing }) => isFilePassing)) return 'shown'
  return ran.length > 0 ? 'failing' : 'missing'
}
