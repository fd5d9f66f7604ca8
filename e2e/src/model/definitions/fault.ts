import type { Json } from '../flows/doors/door.ts'
import type { WrittenFlow, WrittenNode } from '../flows/written.ts'

/** A valid definition with one fault, and the finding that publishing must have. */
export interface Fault {
  readonly key: string
  /** Where; ends with `*` where the fault is somewhere below. */
  readonly path: string
  readonly definition: Json
}

/** The flow with more elements at the end of a step. */
export function withElements(flow: WrittenFlow, place: number, ...more: readonly Json[]): Json {
  return withNode(flow, place, (node) => ({ ...node, elements: [...node.elements, ...more] }))
}

export function withNode(flow: WrittenFlow, place: number, change: (node: WrittenNode) => Json): Json {
  return { ...flow, nodes: flow.nodes.map((node, at) => (at === place ? change(node) : node)) }
}
