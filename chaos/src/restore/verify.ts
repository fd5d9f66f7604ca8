import { nameOf, type Step, type Steps } from '../region/steps.ts'

export interface RestoredComparison {
  readonly missing: number
  readonly duplicated: number
  readonly outOfOrder: number
  /** Received, but sent in a run that the restored sender has no rows of. */
  readonly forgotten: number
  readonly connectionsWithForgotten: number
}

/**
 * Every row of the sender was received exactly once and in order. Tells that the restored sender forgot may have been
 * received as well, but only once, in order, and before those of the later run.
 */
export function compareRestored({
  sent,
  received,
}: {
  readonly sent: Steps
  readonly received: Steps
}): RestoredComparison {
  const counts = { missing: 0, duplicated: 0, outOfOrder: 0, forgotten: 0, connectionsWithForgotten: 0 }
  for (const connection of new Set([...sent.keys(), ...received.keys()])) {
    const expected = new Set((sent.get(connection) ?? []).map(nameOf))
    const steps = received.get(connection) ?? []
    const seen = new Set(steps.map(nameOf))
    const forgotten = [...seen].filter((name) => !expected.has(name)).length
    counts.missing += [...expected].filter((name) => !seen.has(name)).length
    counts.duplicated += steps.length - seen.size
    counts.outOfOrder += countOutOfOrder(steps)
    counts.forgotten += forgotten
    counts.connectionsWithForgotten += forgotten > 0 ? 1 : 0
  }
  return counts
}

/** Within a run by number; the second run only after the first. */
function countOutOfOrder(steps: readonly Step[]): number {
  return steps.filter((step, index) => {
    const before = steps[index - 1]
    if (before === undefined) return false
    return before.run === step.run ? step.n !== before.n + 1 : before.run !== 'first' || step.run !== 'second'
  }).length
}
