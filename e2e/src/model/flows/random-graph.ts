import type { Dice } from '@sealpost/testkit/dice'

/** Steps by their places; every edge leads forward, and every step is reached. */
export interface RandomGraph {
  /** Per step the steps that its edges lead to. */
  readonly steps: readonly (readonly number[])[]
  /** The steps from which some path leads to a step. */
  ancestors(place: number): readonly number[]
}

export function randomGraph(dice: Dice, count: number): RandomGraph {
  const steps: number[][] = Array.from({ length: count }, () => [])
  for (let place = 1; place < count; place += 1) {
    steps[dice.below(place)]?.push(place)
    if (dice.chance(0.35)) steps[dice.below(place)]?.push(place)
  }
  const before = Array.from({ length: count }, () => new Set<number>())
  for (const [from, targets] of steps.entries())
    for (const to of targets) for (const one of [from, ...(before[from] ?? [])]) before[to]?.add(one)
  return { steps, ancestors: (place) => [...(before[place] ?? [])].toSorted((one, other) => one - other) }
}
