import { propertyRuns } from '@sealpost/testkit/property-runs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cyclesIn } from '../index.ts'

test('cycles are exactly the groups of keys that lead to each other', { timeout: 1_200_000 }, () => {
  const small = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  fc.assert(
    fc.property(fc.dictionary(small, fc.array(small, { maxLength: 4 })), (links) => {
      const dependencies = new Map(Object.entries(links))
      const found = cyclesIn(dependencies).map((cycle) => cycle.toSorted().join(''))
      expect(found.toSorted()).toEqual(cyclesByReach(dependencies))
    }),
    { numRuns: propertyRuns() },
  )
})

function cyclesByReach(dependencies: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reach = (from: string): Set<string> => {
    const seen = new Set(dependencies.get(from))
    for (const next of seen) for (const further of dependencies.get(next) ?? []) seen.add(further)
    return seen
  }
  const keys = [...dependencies.keys()].toSorted()
  const groups = keys
    .filter((one) => reach(one).has(one))
    .map((one) => keys.filter((other) => reach(one).has(other) && reach(other).has(one)).join(''))
  return [...new Set(groups)].toSorted()
}
