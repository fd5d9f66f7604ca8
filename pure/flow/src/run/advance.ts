import { evaluateCondition, type Lookup } from '@sealpost/expression'
import { accept, decline, type Result } from '@sealpost/kernel'
import type { Definition, FlowNode, Edge } from '../definition/definition.ts'
import { isJsonObject } from '../definition/reading.ts'
import { graphOf, type FlowGraph } from '../graph/graph.ts'

/** The part of a submit that says where the run goes. Other members, such as `next_party`, are ignored. */
export interface SaidAdvance {
  readonly next_node?: unknown
  readonly leaf?: unknown
}

export type Advance =
  | { readonly to: 'turn'; readonly node: string; readonly party: string }
  | { readonly to: 'completed'; readonly node: string }
  | { readonly to: 'generating'; readonly node: string }

/**
 * The next step of a run after a submit, decided without any answer: the relay never sees one. The submitter chooses
 * which of several edges holds; that the edge exists, or that the step can be the last one, is checked here.
 */
export function checkAdvance(
  definition: Definition,
  nodeKey: string,
  said: SaidAdvance,
): Result<Advance, 'flows.next_node_invalid'> {
  const graph = graphOf(definition)
  const node = graph.nodes.get(nodeKey)
  const nextNode = said.next_node ?? null
  const leaf = said.leaf ?? false
  if (node === undefined || typeof leaf !== 'boolean' || leaf === (nextNode !== null)) return refused()
  if (leaf) return isLastStep(definition, graph, node) ? accept(ended(definition, node)) : refused()
  return typeof nextNode === 'string' ? enter(graph, node, nextNode) : refused()
}

/** Always a turn of the next step's party, also where that step asks nothing: its party then ends the run. */
function enter(graph: FlowGraph, from: FlowNode, nextKey: string): Result<Advance, 'flows.next_node_invalid'> {
  const next = graph.nodes.get(nextKey)
  const isSuccessor = (graph.outgoing.get(from.key) ?? []).some((edge) => edge.to === nextKey)
  if (next === undefined || !isSuccessor) return refused()
  return accept({ to: 'turn', node: next.key, party: next.party })
}

/** Whether a run may end here: no edge is certain to hold, and a document flow has documents to make. */
export function isLastStep(definition: Definition, graph: FlowGraph, node: FlowNode): boolean {
  const mayStay = (graph.outgoing.get(node.key) ?? []).every((edge) => isConditional(edge.condition))
  return mayStay && (definition.output_mode === 'data_only' || makesDocuments(node))
}

/** A condition that is not an object always holds. */
export function isConditional(condition: unknown): boolean {
  return isJsonObject(condition)
}

export function makesDocuments(node: FlowNode): boolean {
  return (node.outputs ?? []).length > 0
}

function ended(definition: Definition, node: FlowNode): Advance {
  return { to: definition.output_mode === 'document' ? 'generating' : 'completed', node: node.key }
}

function refused(): Result<Advance, 'flows.next_node_invalid'> {
  return decline('flows.next_node_invalid')
}

export type Choice =
  | { readonly kind: 'next'; readonly node: string; readonly edge: Edge }
  | { readonly kind: 'leaf' }
  /** No edge holds and the run may not end here. Publishing excludes such steps. */
  | { readonly kind: 'stuck' }

/**
 * The next step for the party at a step: by the first edge that holds. `values` are all values of the run, constants
 * included.
 */
export function chooseNext(definition: Definition, nodeKey: string, values: Lookup): Choice {
  const graph = graphOf(definition)
  const node = graph.nodes.get(nodeKey)
  if (node === undefined) return { kind: 'stuck' }
  const edge = graph.outgoing.get(nodeKey)?.find((one) => evaluateCondition(one.condition, values))
  if (edge !== undefined) return { kind: 'next', node: edge.to, edge }
  return { kind: isLastStep(definition, graph, node) ? 'leaf' : 'stuck' }
}
