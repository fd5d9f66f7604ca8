import { seededRandom } from '@sealpost/testkit'

/** Choices that are the same for the same seed. */
export interface Chance {
  /** From 0 on, below `end`. */
  below(end: number): number
  pick<T>(choices: readonly T[]): T
}

export function openChance(seed: number): Chance {
  const random = seededRandom(seed)
  const below = (end: number): number => Buffer.from(random.bytes(4)).readUInt32BE() % end
  return {
    below,
    pick(choices) {
      const choice = choices[below(choices.length)]
      if (choice === undefined) throw new Error('nothing to choose from')
      return choice
    },
  }
}
