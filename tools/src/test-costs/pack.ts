/** Divides items among `count` places so that the most expensive place is cheap: the largest first, each to the cheapest. */
export function pack<T>(items: readonly T[], costOf: (item: T) => number, count: number): readonly (readonly T[])[] {
  const places = Array.from({ length: count }, () => ({ cost: 0, items: [] as T[] }))
  for (const item of items.toSorted((one, other) => costOf(other) - costOf(one))) {
    const cheapest = places.reduce((best, place) => (place.cost < best.cost ? place : best))
    cheapest.items.push(item)
    cheapest.cost += costOf(item)
  }
  return places.map(({ items: packed }) => packed)
}
