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

function answersReadByConstants({ constants }: Definition): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(constants.map(({ key, expr }) => [key, keysReadByExpression(expr)]))
  return new Map(Array.from(direct.keys(), (key) => [key, answersBehind(key, direct)]))
}

function answersBehind(constant: string, direct: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const visited = new Set([constant])
  const answers = new Set<string>()
  for (const key of visited) {
    for (const read of direct.get(key) ?? []) (direct.has(read) ? visited : answers).add(read)
  }
  return answers
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
