import { nameOf, type Steps } from '../region/steps.ts'

export interface StepComparison {
  readonly missing: number
  readonly duplicated: number
  readonly out_of_order: number
  /** Received, though the sender has no row for it. */
  readonly unexpected: number
}

/** Every committed row must be received exactly once, and the rows of a connection in the order of their commits. */
export function compareSteps(sent: Steps, received: Steps): StepComparison {
  const counts = { missing: 0, duplicated: 0, out_of_order: 0, unexpected: 0 }
  for (const connection of new Set([...sent.keys(), ...received.keys()])) {
    const expected = new Set((sent.get(connection) ?? []).map(nameOf))
    const seen = new Set<string>()
    let lastN = 0
    for (const step of received.get(connection) ?? []) {
      const name = nameOf(step)
      if (!expected.has(name)) counts.unexpected += 1
      if (seen.has(name)) counts.duplicated += 1
      else if (step.n < lastN) counts.out_of_order += 1
      seen.add(name)
      lastN = Math.max(lastN, step.n)
    }
    counts.missing += [...expected].filter((name) => !seen.has(name)).length
  }
  return counts
}
