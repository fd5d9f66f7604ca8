import { type KeptRun, keepRun } from './history.ts'
import { headCommit, isClean } from './lanes/changes.ts'
import type { RunContext } from './run-steps.ts'

/** Keeps what a run has shown, with the commit that it was about. */
export function keepResults(state: string, context: RunContext, facts: Pick<KeptRun, 'unstable' | 'costs'>): void {
  const { root, results, startedAtMs } = context
  keepRun(state, {
    startedAt: new Date(startedAtMs).toISOString(),
    commit: headCommit(root),
    isClean: isClean(root),
    steps: results.map(({ name, outcome, seconds }) => ({ name, outcome, seconds })),
    ...facts,
  })
}

/** The steps that passed only at the second attempt. */
export function unstableSteps({ results }: RunContext): readonly string[] {
  return results.filter(({ isUnstable }) => isUnstable).map(({ name }) => name)
}
