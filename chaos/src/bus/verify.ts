import type { Step } from '../region/books.ts'

export interface Verdict {
  readonly missing: number
  readonly doubled: number
  readonly disordered: number
  /** Heard, though no business row says that it was told. */
  readonly invented: number
}

type Steps = ReadonlyMap<number, readonly Step[]>

/** Every committed business row was applied exactly once, and each connection's in the order of its commits. */
export function compareSteps(told: Steps, heard: Steps): Verdict {
  let [missing, doubled, disordered, invented] = [0, 0, 0, 0]
  for (const connection of new Set([...told.keys(), ...heard.keys()])) {
    const wanted = new Set((told.get(connection) ?? []).map(nameOf))
    const seen = new Set<string>()
    let lastN = 0
    for (const step of heard.get(connection) ?? []) {
      const name = nameOf(step)
      if (!wanted.has(name)) invented += 1
      if (seen.has(name)) doubled += 1
      else if (step.n < lastN) disordered += 1
      seen.add(name)
      lastN = Math.max(lastN, step.n)
    }
    missing += [...wanted].filter((name) => !seen.has(name)).length
  }
  return { missing, doubled, disordered, invented }
}

function nameOf({ n, life }: Step): string {
  return `${life} ${n}`
}
