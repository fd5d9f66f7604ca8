import type { Definition, Edge, FlowNode } from '../definition/definition.ts'

/** A definition as steps and edges. Edges that touch no existing step are left out. */
export interface FlowGraph {
  readonly nodes: ReadonlyMap<string, FlowNode>
  /** Per step its outgoing edges in the order in which they are tried. */
  readonly outgoing: ReadonlyMap<string, readonly Edge[]>
}

export function graphOf(definition: Definition): FlowGraph {
  const nodes = new Map(definition.nodes.map((node) => [node.key, node]))
  const whole = definition.edges.filter((edge) => nodes.has(edge.from) && nodes.has(edge.to))
  const ordered = whole.toSorted((one, other) => one.sort - other.sort)
  return { nodes, outgoing: byStart(ordered) }
}

/** The edges that leave a step, in the order in which they are tried: ascending sort, otherwise as written. */
export function edgesFrom(definition: Definition, nodeKey: string): readonly Edge[] {
  return graphOf(definition).outgoing.get(nodeKey) ?? []
}

export function successors(definition: Definition, nodeKey: string): readonly string[] {
  return [...new Set(edgesFrom(definition, nodeKey).map((edge) => edge.to))]
}

export function reachableFrom(graph: FlowGraph, nodeKey: string): ReadonlySet<string> {
  if (!graph.nodes.has(nodeKey)) return new Set()
  const seen = new Set([nodeKey])
  // A Set also iterates over items added during the iteration: it is its own queue.
  for (const key of seen) for (const { to } of graph.outgoing.get(key) ?? []) seen.add(to)
  return seen
}

function byStart(edges: readonly Edge[]): ReadonlyMap<string, readonly Edge[]> {
  const groups = new Map<string, Edge[]>()
  for (const edge of edges) {
    const group = groups.get(edge.from)
    if (group === undefined) groups.set(edge.from, [edge])
    else group.push(edge)
  }
  return groups
}
