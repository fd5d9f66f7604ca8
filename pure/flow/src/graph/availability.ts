import { keysReadByExpression } from '@sealpost/expression'
import type { Definition } from '../definition/definition.ts'
import { answerElements, keysOf } from './flow-keys.ts'
import { graphOf, reachableFrom, type FlowGraph } from './graph.ts'

/** Which keys can be read at which step. */
export interface Availability {
  /** Keys of fields and plugin values, and the steps that answer them. */
  readonly answeredAt: ReadonlyMap<string, readonly string[]>
  /** Per constant every answer it reads, through other constants too; includes keys that do not exist. */
  readonly readBy: ReadonlyMap<string, ReadonlySet<string>>
  readonly isAvailable: (key: string, nodeKey: string) => boolean
}

/**
 * An answer is available at its own step and at every step that some path leads to from there; a constant where
 * everything it reads is. Cycles of steps or of constants are visited once, so that any draft is accepted.
 */
export function availabilityOf(definition: Definition): Availability {
  const answeredAt = homesOfKeys(definition)
  const readBy = answersReadByConstants(definition)
  const after = stepsAfter(graphOf(definition))
  const withAnswer = remembered((key) => union((answeredAt.get(key) ?? []).map(after.stepsFrom)))
  const withConstant = remembered((key) => intersection(after.allSteps, [...(readBy.get(key) ?? [])].map(withAnswer)))
  return {
    answeredAt,
    readBy,
    isAvailable: (key, nodeKey) => {
      const isConstant = readBy.has(key) && !answeredAt.has(key)
      return ((isConstant ? withConstant(key) : withAnswer(key)) & after.bitOf(nodeKey)) !== 0n
    },
  }
}

/** Every key that can be read at a step: slugs, plugin values and constants. */
export function availableAt(definition: Definition, nodeKey: string): ReadonlySet<string> {
  const availability = availabilityOf(definition)
  const keys = [...availability.answeredAt.keys(), ...availability.readBy.keys()]
  return new Set(keys.filter((key) => availability.isAvailable(key, nodeKey)))
}

function homesOfKeys(definition: Definition): ReadonlyMap<string, readonly string[]> {
  const homes = new Map<string, string[]>()
  for (const node of definition.nodes) {
    for (const key of answerElements(node).flatMap(keysOf)) {
      const known = homes.get(key)
      if (known === undefined) homes.set(key, [node.key])
      else known.push(node.key)
    }
  }
  return homes
}

/**
 * Sets of answers are bits, and a constant takes over those of the constants that it reads. In the order of dependencies one
 * round finds all of them; cycles, which only drafts have, need further rounds.
 */
function answersReadByConstants({ constants }: Definition): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(constants.map(({ key, expr }) => [key, [...new Set(keysReadByExpression(expr))]]))
  const answers = [...new Set([...direct.values()].flat().filter((key) => !direct.has(key)))]
  const bits = new Map(answers.map((key, place) => [key, 1n << BigInt(place)]))
  const found = new Map<string, bigint>()
  const order = constantsInOrder(direct)
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false
    for (const key of order) {
      const before = found.get(key)
      const reads = direct.get(key) ?? []
      const behind = reads.reduce((all, read) => all | (bits.get(read) ?? found.get(read) ?? 0n), before ?? 0n)
      if (behind === before) continue
      found.set(key, behind)
      hasChanged = true
    }
  }
  return new Map(Array.from(direct.keys(), (key) => [key, answersIn(found.get(key) ?? 0n, answers)]))
}

/** Each after the constants that it reads, as far as there is no cycle. */
function constantsInOrder(direct: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const entered = new Set<string>()
  for (const start of direct.keys()) {
    const open = [start]
    for (let key = open.at(-1); key !== undefined; key = open.at(-1)) {
      const next = entered.has(key)
        ? []
        : (direct.get(key) ?? []).filter((read) => direct.has(read) && !entered.has(read))
      entered.add(key)
      if (next.length > 0) {
        open.push(...next)
        continue
      }
      open.pop()
      done.add(key)
    }
  }
  return [...done]
}

function answersIn(bits: bigint, answers: readonly string[]): ReadonlySet<string> {
  const digits = bits.toString(2)
  return new Set(answers.filter((_, place) => digits.at(-1 - place) === '1'))
}

/** A set of steps, one bit each: flows have hundreds of steps and thousands of keys, and every pair is needed. */
type Steps = bigint

interface StepsAfter {
  readonly allSteps: Steps
  readonly bitOf: (nodeKey: string) => Steps
  /** The step and every step reachable from it. */
  readonly stepsFrom: (nodeKey: string) => Steps
}

function stepsAfter(graph: FlowGraph): StepsAfter {
  const bits = new Map(Array.from(graph.nodes.keys(), (key, place) => [key, 1n << BigInt(place)]))
  const bitOf = (nodeKey: string): Steps => bits.get(nodeKey) ?? 0n
  const stepsFrom = remembered((nodeKey) => union(Array.from(reachableFrom(graph, nodeKey), bitOf)))
  return { allSteps: (1n << BigInt(bits.size)) - 1n, bitOf, stepsFrom }
}

function union(sets: readonly Steps[]): Steps {
  return sets.reduce((all, steps) => all | steps, 0n)
}

function intersection(all: Steps, sets: readonly Steps[]): Steps {
  return sets.reduce((common, steps) => common & steps, all)
}

function remembered(compute: (key: string) => Steps): (key: string) => Steps {
  const known = new Map<string, Steps>()
  return (key) => {
    const steps = known.get(key) ?? compute(key)
    known.set(key, steps)
    return steps
  }
}
