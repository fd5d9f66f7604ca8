/** The effects of one consumer beside what the region acknowledged. */
export interface Judgement {
  readonly handled: number
  readonly lost: number
  /** Handled, though the region never acknowledged it. */
  readonly unexpected: number
  /** First handled after a later one. */
  readonly outOfOrder: number
  readonly repeated: number
  /** Handled again, and not as the first one after a start: no end of a process explains it. */
  readonly unexplained: number
}

/**
 * @param acknowledged event ids in the order of their commits
 * @param processes the ids that each process of the consumer handled, in order
 */
export function judge(acknowledged: readonly string[], processes: readonly (readonly string[])[]): Judgement {
  const indexOf = new Map(acknowledged.map((id, index) => [id, index]))
  const seen = new Set<string>()
  const counts = { unexpected: 0, outOfOrder: 0, repeated: 0, unexplained: 0 }
  let highest = -1
  for (const handled of processes) {
    for (const [at, id] of handled.entries()) {
      if (seen.has(id)) {
        counts.repeated += 1
        if (at > 0) counts.unexplained += 1
        continue
      }
      seen.add(id)
      const index = indexOf.get(id)
      if (index === undefined) counts.unexpected += 1
      else if (index < highest) counts.outOfOrder += 1
      else highest = index
    }
  }
  const handled = seen.size - counts.unexpected
  return { handled, lost: acknowledged.length - handled, ...counts }
}
