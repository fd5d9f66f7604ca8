import type { Definition, Edge, FlowNode } from '../definition/definition.ts'

/** A definition as steps and edges. Edges that touch no existing step are left out. */
export interface FlowGraph {
  readonly nodes: ReadonlyMap<string, FlowNode>
  /** Per step its outgoing edges in the order in which they are tried. */
  readonly outgoing: ReadonlyMap<string, readonly Edge[]>
  readonly incoming: ReadonlyMap<string, readonly Edge[]>
}

export function graphOf(definition: Definition): FlowGraph {
  const nodes = new Map(definition.nodes.map((node) => [node.key, node]))
  const whole = definition.edges.filter((edge) => nodes.has(edge.from) && nodes.has(edge.to))
  const ordered = whole.toSorted((one, other) => one.sort - other.sort)
  return {
    nodes,
    outgoing: grouped(ordered, (edge) => edge.from),
    incoming: grouped(ordered, (edge) => edge.to),
  }
}

/** The edges that leave a step, in the order in which they are tried: ascending sort, otherwise as written. */
export function edgesFrom(definition: Definition, nodeKey: string): readonly Edge[] {
  return graphOf(definition).outgoing.get(nodeKey) ?? []
}

export function successors(definition: Definition, nodeKey: string): readonly string[] {
  return [...new Set(edgesFrom(definition, nodeKey).map((edge) => edge.to))]
}

/** Every step from which the given one can be reached, itself included. */
export function ancestorsOf(graph: FlowGraph, nodeKey: string): ReadonlySet<string> {
  return reachable(nodeKey, (key) => (graph.incoming.get(key) ?? []).map((edge) => edge.from))
}

export function reachableFrom(graph: FlowGraph, nodeKey: string): ReadonlySet<string> {
  if (!graph.nodes.has(nodeKey)) return new Set()
  return reachable(nodeKey, (key) => (graph.outgoing.get(key) ?? []).map((edge) => edge.to))
}

function reachable(start: string, onward: (key: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set([start])
  // A Set also iterates over items added during the iteration: it is its own queue.
  for (const key of seen) for (const next of onward(key)) seen.add(next)
  return seen
}

function grouped(edges: readonly Edge[], by: (edge: Edge) => string): ReadonlyMap<string, readonly Edge[]> {
  const groups = new Map<string, Edge[]>()
  for (const edge of edges) {
    const group = groups.get(by(edge))
    if (group === undefined) groups.set(by(edge), [edge])
    else group.push(edge)
  }
  return groups
}
