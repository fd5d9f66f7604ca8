import type { Dice } from '@sealpost/testkit/dice'
import { randomConstants } from './random-constants.ts'
import { type FlowFacts, type Ground, randomElements } from './random-elements.ts'
import { randomCondition, type ReadableKey } from './random-expressions.ts'
import { randomGraph } from './random-graph.ts'
import { randomOutputs } from './random-outputs.ts'
import type { WrittenEdge, WrittenFlow, WrittenNode, WrittenParty } from './written.ts'

const MOST_PARTIES = 20

/** A definition that publishing accepts, whatever the dice say. */
export function randomFlow(dice: Dice, facts: FlowFacts, makesDocuments = false): WrittenFlow {
  const parties = randomParties(dice)
  const isDocument = makesDocuments || dice.chance(0.2)
  const isLarge = parties.length > 6
  const graph = randomGraph(dice, 1 + dice.below(isLarge ? 3 : 6))
  const keys = graph.steps.map((_, place) => `n${place}`)
  const ground: Ground = { dice, facts, parties, fileShare: isLarge ? 0.02 : 0.1, hasTemplate: makesDocuments }
  const homes: ReadableKey[][] = []
  // What each step can read of the steps before it, and then of its own.
  const earlier = (place: number): ReadableKey[] => graph.ancestors(place).flatMap((one) => homes[one] ?? [])
  const drafts = graph.steps.map((_, place) => {
    const made = randomElements(ground, {
      place,
      earlier: earlier(place),
      needsPdf: isDocument && place === 0,
    })
    homes.push([...made.keys])
    return { key: keys[place] ?? '', party: dice.pick(parties).key, title: `Step ${place}`, elements: made.elements }
  })
  const readable = (place: number): readonly ReadableKey[] => [...earlier(place), ...(homes[place] ?? [])]
  const constants = randomConstants(dice, keys, readable)
  const edges = graph.steps.flatMap((targets, from) =>
    randomEdges(dice, {
      from: keys[from] ?? '',
      to: targets.map((target) => keys[target] ?? ''),
      readable: [...readable(from), ...constants.at(from)],
    }),
  )
  const nodes: readonly WrittenNode[] = drafts.map((node, place) => {
    const endsHere = edges.every(({ from, condition }) => from !== node.key || condition !== null)
    if (!isDocument || !endsHere) return node
    return { ...node, ...randomOutputs(ground, homes.flat(), [...readable(place), ...constants.at(place)]) }
  })
  return {
    entry: 'n0',
    output_mode: isDocument ? 'document' : 'data_only',
    parties,
    nodes,
    edges,
    constants: constants.written,
  }
}

/** The owner and one to nineteen others; now and then of the older kind without types. */
function randomParties(dice: Dice): readonly WrittenParty[] {
  const count = dice.chance(0.05) ? 2 + dice.below(MOST_PARTIES - 1) : 2 + dice.below(3)
  const isTyped = dice.chance(0.85)
  const others = Array.from({ length: count - 1 }, (_, place) => ({
    key: `p${place + 1}`,
    label: `Party ${place + 1}`,
    ...(isTyped ? { type: dice.chance(0.6) ? ('person' as const) : ('company' as const) } : {}),
  }))
  const owner = { key: 'us', label: 'Us', ...(isTyped ? { type: 'owner' as const } : {}) }
  return dice.chance(0.8) ? [owner, ...others] : [...others, owner]
}

interface Ways {
  readonly from: string
  readonly to: readonly string[]
  readonly readable: readonly ReadableKey[]
}

/** Conditions on all but perhaps the last; the order is that of `sort`, or of the list where all are equal. */
function randomEdges(dice: Dice, { from, to, readable }: Ways): readonly WrittenEdge[] {
  const hasDefault = readable.length === 0 || dice.chance(0.6)
  const ordered = to.map((target, place) => {
    const isDefault = readable.length === 0 || (hasDefault && place === to.length - 1)
    return { from, to: target, sort: 0, condition: isDefault ? null : randomCondition(dice, readable) }
  })
  if (dice.chance(0.3)) return ordered
  return ordered.map((edge, place) => ({ ...edge, sort: place * 10 - 5 })).toReversed()
}
