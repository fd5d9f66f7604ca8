import type { Dice } from '@sealpost/testkit/dice'
import { randomExpression, type ReadableKey } from './random-expressions.ts'
import type { WrittenConstant } from './written.ts'

export interface RandomConstants {
  readonly written: readonly WrittenConstant[]
  /** Those that can be read at a step, by its place. */
  at(place: number): readonly ReadableKey[]
}

/**
 * Each is made for one step, of keys and constants that this step can read, and shown there now and then. Another step
 * can read it if it can read all that the first one could: fewer than those where it is available, and enough.
 */
export function randomConstants(
  dice: Dice,
  nodes: readonly string[],
  readable: (place: number) => readonly ReadableKey[],
): RandomConstants {
  const written: WrittenConstant[] = []
  const homes: { readonly key: ReadableKey; readonly reads: readonly string[] }[] = []
  const at = (place: number): readonly ReadableKey[] => {
    const known = new Set(readable(place).map(({ key }) => key))
    return homes.filter(({ reads }) => reads.every((read) => known.has(read))).map(({ key }) => key)
  }
  const count = dice.below(4)
  for (let turn = 0; turn < count; turn += 1) {
    const place = dice.below(nodes.length)
    const keys = [...readable(place), ...at(place)]
    const type = dice.pick(['number', 'number', 'text', 'date', 'boolean'] as const)
    const isShown = dice.chance(0.5)
    written.push({
      key: `c${turn}`,
      label: dice.chance(0.5) ? `Constant ${turn}` : '',
      result_type: type,
      expr: randomExpression(dice, type, keys),
      shown_on: isShown ? [nodes[place] ?? ''] : [],
    })
    homes.push({ key: { key: `c${turn}`, kind: type }, reads: readable(place).map(({ key }) => key) })
  }
  return { written, at }
}
