import type { Requirement } from './requirements.ts'
import { ruleIds, type TestOutcome } from './results.ts'

/** `shown` by a passing test; `failing` when only failing tests name it; else `missing`. */
export type Standing = 'shown' | 'failing' | 'missing'

export interface Verdict {
  readonly standings: readonly { readonly requirement: Requirement; readonly standing: Standing }[]
  /** Tests that name a rule nobody wrote: a typing mistake would otherwise count for nothing, unnoticed. */
  readonly unknown: readonly { readonly id: string; readonly test: string }[]
}

export function judge(
  all: readonly Requirement[],
  selected: readonly Requirement[],
  outcomes: readonly TestOutcome[],
): Verdict {
  const known = new Set(all.map(({ id }) => id))
  const named = outcomes.flatMap((outcome) => ruleIds(outcome.name).map((id) => ({ id, outcome })))
  const passing = new Set(named.filter(({ outcome }) => outcome.hasPassed).map(({ id }) => id))
  const failing = new Set(named.filter(({ outcome }) => outcome.hasFailed).map(({ id }) => id))
  return {
    standings: selected.map((requirement) => ({ requirement, standing: standingOf(requirement.id, passing, failing) })),
    unknown: named.filter(({ id }) => !known.has(id)).map(({ id, outcome }) => ({ id, test: outcome.name })),
  }
}

function standingOf(id: string, passing: ReadonlySet<string>, failing: ReadonlySet<string>): Standing {
  if (passing.has(id)) return 'shown'
  return failing.has(id) ? 'failing' : 'missing'
}
