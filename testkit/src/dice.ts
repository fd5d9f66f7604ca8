export interface Dice {
  below(limit: number): number
  /** True in `share` of all cases. */
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
  byte(): string
  bytes(length: number): string
  /** Letters, digits and a few marks that mean nothing in HTTP. */
  text(length: number): string
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-~!'

/** The same throws for the same seed (mulberry32). */
export function openDice(seed: number): Dice {
  let state = seed
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  const byte = (): string => String.fromCharCode(below(256))
  return {
    below,
    chance: (share) => below(2 ** 32) < share * 2 ** 32,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
    byte,
    bytes: (length) => many(length, byte),
    text: (length) => many(length, () => LETTERS.charAt(below(LETTERS.length))),
  }
}

function many(length: number, make: () => string): string {
  return Array.from({ length }, make).join('')
}
