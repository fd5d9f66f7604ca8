/** Repeatable random choices: the same seed draws the same. */
export interface Draws {
  /** An integer from 0 up to, but not including, `end`. */
  below(end: number): number
  /** True with the probability 1 / `inSoMany`. */
  once(inSoMany: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** Mulberry32: small, fast, and good enough for test cases. */
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
