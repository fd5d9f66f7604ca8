import type { PublishIssue } from '@sealpost/protocol'
import type { Edge, FlowNode } from '../definition/definition.ts'
import { pointer } from '../definition/pointer.ts'
import { cyclesIn } from '../graph/cycles.ts'
import { reachableFrom } from '../graph/graph.ts'
import { isConditional, makesDocuments } from '../run/advance.ts'
import type { PlacedNode, PublishContext } from './context.ts'
import { issue, quoted } from './issue.ts'

/** Checks of the beginning, the edges and the ends of runs. */
export function checkStructure(context: PublishContext): readonly PublishIssue[] {
  return [
    ...checkEntry(context),
    ...checkEdges(context),
    ...checkCycles(context),
    ...context.nodes.flatMap((placed) => checkEnding(context, placed)),
    ...checkReach(context),
  ]
}

function checkEntry({ definition, graph }: PublishContext): readonly PublishIssue[] {
  if (graph.nodes.has(definition.entry)) return []
  return [issue('flow.entry_invalid', '/entry', `there is no step ${quoted(definition.entry)}`)]
}

function checkEdges({ definition, graph }: PublishContext): readonly PublishIssue[] {
  return definition.edges.flatMap((edge, place) =>
    (['from', 'to'] as const)
      .filter((end) => !graph.nodes.has(edge[end]))
      .map((end) => issue('flow.edge_invalid', pointer('/edges', place, end), `there is no step ${quoted(edge[end])}`)),
  )
}

/** One finding per cycle, at its first edge that leads back; every cycle has one, in any order of steps. */
function checkCycles({ definition, graph }: PublishContext): readonly PublishIssue[] {
  const order = new Map(definition.nodes.map(({ key }, place) => [key, place]))
  const onward = new Map(
    Array.from(order.keys(), (key) => [key, (graph.outgoing.get(key) ?? []).map((edge) => edge.to)]),
  )
  const leadsBack = ({ from, to }: Edge): boolean => (order.get(to) ?? 0) <= (order.get(from) ?? 0)
  return cyclesIn(onward).map((cycle) => {
    const members = new Set(cycle)
    const isInside = ({ from, to }: Edge): boolean => members.has(from) && members.has(to)
    const place = definition.edges.findIndex((edge) => isInside(edge) && leadsBack(edge))
    return issue('flow.cycle', pointer('/edges', place), cycle.map(quoted).join(', '))
  })
}

function checkEnding(context: PublishContext, { node, path }: PlacedNode): readonly PublishIssue[] {
  const edges = context.graph.outgoing.get(node.key) ?? []
  if (edges.length === 0) return context.isDocumentFlow ? checkLeaf(context, { node, path }) : []
  return [
    ...(context.isDocumentFlow && makesDocuments(node) ? checkLeaf(context, { node, path }) : []),
    ...(edges.every((edge) => isConditional(edge.condition)) ? [noDefaultEdge(context, { node, path })] : []),
  ]
}

function checkLeaf(context: PublishContext, { node, path }: PlacedNode): readonly PublishIssue[] {
  const outputs = pointer(path, 'outputs')
  const noRules = (node.outputs ?? []).flatMap(({ name, rules }, place) =>
    rules.length > 0
      ? []
      : [issue('flow.leaf_invalid', pointer(outputs, place, 'rules'), `${quoted(name)} has no rule`)],
  )
  return [
    ...(makesDocuments(node) ? noRules : [issue('flow.leaf_invalid', outputs, `${named(node)} makes no document`)]),
    ...checkLanguageParty(context, { node, path }),
  ]
}

function checkLanguageParty({ definition }: PublishContext, { node, path }: PlacedNode): readonly PublishIssue[] {
  const key = node.language_party
  if (definition.parties.some((party) => party.key === key)) return []
  const detail = key === undefined ? `${named(node)} names no language party` : `there is no party ${quoted(key)}`
  return [issue('flow.leaf_invalid', pointer(path, 'language_party'), detail)]
}

/** A run without an edge that holds ends at the step, if it may: then it is only a warning. */
function noDefaultEdge(context: PublishContext, { node, path }: PlacedNode): PublishIssue {
  const mayEnd = !context.isDocumentFlow || makesDocuments(node)
  return issue('flow.no_default_edge', path, named(node), mayEnd ? 'warning' : 'error')
}

function checkReach({ definition, graph, nodes }: PublishContext): readonly PublishIssue[] {
  if (!graph.nodes.has(definition.entry)) return []
  const reached = reachableFrom(graph, definition.entry)
  return nodes
    .filter(({ node }) => !reached.has(node.key))
    .map(({ node, path }) => issue('flow.node_unreachable', path, named(node)))
}

function named(node: FlowNode): string {
  return quoted(node.key)
}
