import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack } from './pack.ts'

test('every item is in exactly one place, and no place has more than its share and the largest item', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 })), fc.integer({ min: 1, max: 8 }), (costs, count) => {
      const items = costs.map((cost, id) => ({ id, cost }))
      const places = pack(items, ({ cost }) => cost, count)
      expect(places).toHaveLength(count)
      expect(
        places
          .flat()
          .map(({ id }) => id)
          .toSorted((a, b) => a - b),
      ).toEqual(items.map(({ id }) => id))
      const total = costs.reduce((sum, cost) => sum + cost, 0)
      for (const place of places)
        expect(place.reduce((sum, { cost }) => sum + cost, 0)).toBeLessThanOrEqual(
          total / count + Math.max(0, ...costs),
        )
    }),
  )
})
