import { evaluateCondition, type Lookup } from '@sealpost/expression'
import type { Definition, Edge } from '../definition/definition.ts'
import { graphOf } from '../graph/graph.ts'
import { isLastStep } from './advance.ts'

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
