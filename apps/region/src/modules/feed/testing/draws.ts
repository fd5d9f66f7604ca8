/** Chance that can be repeated: the same seed draws the same. */
export interface Draws {
  /** A whole number from 0 up to `end`, which is left out. */
  below(end: number): number
  /** True once in so many. */
  once(inSoMany: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Mulberry32: small, fast, and good enough to choose test cases. */
export function drawsOf(seed: number): Draws {
  let state = seed >>> 0
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }
  return {
    below,
    once: (inSoMany) => below(inSoMany) === 0,
    pick: (items) => items[below(items.length)] ?? items[0],
  }
}
