import { keysReadBy } from '@sealpost/expression'
import type { Definition } from '../definition/definition.ts'
import { answerElements, keysOf } from './flow-keys.ts'
import { ancestorsOf, graphOf, type FlowGraph } from './graph.ts'

/** Which keys can be read at which step. */
export interface Availability {
  /** Keys of fields and plugin values, and the steps that answer them. */
  readonly answeredAt: ReadonlyMap<string, readonly string[]>
  /** Per constant every answer it reads, through other constants too; a key that does not exist is among them. */
  readonly readBy: ReadonlyMap<string, ReadonlySet<string>>
  readonly isAvailable: (key: string, nodeKey: string) => boolean
}

/**
 * An answer is available at its own step and at every step that some path leads to from there; a constant where all it
 * reads is. Circles of steps or of constants are walked once, so that any draft can be asked.
 */
export function availabilityOf(definition: Definition): Availability {
  const graph = graphOf(definition)
  const answeredAt = homesOfKeys(definition)
  const readBy = answersReadByConstants(definition)
  const before = ancestorsByNode(graph)
  const isAnswered = (key: string, nodeKey: string): boolean =>
    answeredAt.get(key)?.some((home) => before(nodeKey).has(home)) ?? false
  const isComputable = cached((key, nodeKey) => [...(readBy.get(key) ?? [])].every((read) => isAnswered(read, nodeKey)))
  return {
    answeredAt,
    readBy,
    isAvailable: (key, nodeKey) =>
      readBy.has(key) && !answeredAt.has(key) ? isComputable(key, nodeKey) : isAnswered(key, nodeKey),
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
    for (const key of answerElements(node).flatMap(keysOf)) homes.set(key, [...(homes.get(key) ?? []), node.key])
  }
  return homes
}

function answersReadByConstants({ constants }: Definition): ReadonlyMap<string, ReadonlySet<string>> {
  const direct = new Map(constants.map(({ key, expr }) => [key, keysReadBy(expr)]))
  return new Map([...direct.keys()].map((key) => [key, answersBehind(key, direct)]))
}

function answersBehind(constant: string, direct: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const visited = new Set([constant])
  const answers = new Set<string>()
  for (const key of visited) {
    for (const read of direct.get(key) ?? []) (direct.has(read) ? visited : answers).add(read)
  }
  return answers
}

function ancestorsByNode(graph: FlowGraph): (nodeKey: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>()
  return (nodeKey) => {
    const ancestors = known.get(nodeKey) ?? ancestorsOf(graph, nodeKey)
    known.set(nodeKey, ancestors)
    return ancestors
  }
}

function cached(judge: (key: string, nodeKey: string) => boolean): (key: string, nodeKey: string) => boolean {
  const known = new Map<string, boolean>()
  return (key, nodeKey) => {
    const question = `${nodeKey} ${key}`
    const answer = known.get(question) ?? judge(key, nodeKey)
    known.set(question, answer)
    return answer
  }
}
