import { createHash } from 'node:crypto'

interface Named {
  readonly key: string
}

/** The first so many in an order that depends on the seed and on each mutant alone: a larger sample holds a smaller. */
export function takeSample<T extends Named>(mutants: readonly T[], seed: string, count: number): readonly T[] {
  return mutants
    .map((mutant) => ({ mutant, rank: createHash('sha256').update(`${seed}\0${mutant.key}`).digest('hex') }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
