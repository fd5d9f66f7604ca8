import type { Step } from '../region/books.ts'

export interface RestoredVerdict {
  readonly missing: number
  readonly doubled: number
  readonly disordered: number
  /** Heard, but told in a life that the teller has forgotten. */
  readonly extra: number
  readonly connectionsWithExtra: number
}

type Steps = ReadonlyMap<number, readonly Step[]>

/**
 * Everything that the teller's books hold was heard exactly once and in their order. What it told in a life that it has
 * forgotten may have been heard as well, but also only once, in order, and before anything of the later life.
 */
export function compareRestored({ told, heard }: { readonly told: Steps; readonly heard: Steps }): RestoredVerdict {
  const verdict = { missing: 0, doubled: 0, disordered: 0, extra: 0, connectionsWithExtra: 0 }
  for (const connection of new Set([...told.keys(), ...heard.keys()])) {
    const wanted = new Set((told.get(connection) ?? []).map(nameOf))
    const steps = heard.get(connection) ?? []
    const seen = new Set(steps.map(nameOf))
    const extra = [...seen].filter((name) => !wanted.has(name)).length
    verdict.missing += [...wanted].filter((name) => !seen.has(name)).length
    verdict.doubled += steps.length - seen.size
    verdict.disordered += countDisordered(steps)
    verdict.extra += extra
    verdict.connectionsWithExtra += extra > 0 ? 1 : 0
  }
  return verdict
}

/** Within a life by number; a later life only after an earlier one. */
function countDisordered(steps: readonly Step[]): number {
  return steps.filter((step, index) => {
    const before = steps[index - 1]
    if (before === undefined) return false
    return before.life === step.life ? step.n !== before.n + 1 : before.life !== 'first' || step.life !== 'second'
  }).length
}

function nameOf({ n, life }: Step): string {
  return `${life} ${n}`
}
