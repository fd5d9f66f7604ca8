import type { FlowDefinition } from '@sealpost/protocol'
import type { Definition, FlowElement, FlowNode } from './definition.ts'

/** The JSON that `parseDefinition` reads as this definition: an element of an unknown kind is written as it was given. */
export function definitionToJson({ parties, nodes, edges, constants, ...rest }: Definition): FlowDefinition {
  return {
    ...rest,
    parties: [...parties],
    nodes: nodes.map(nodeToJson),
    edges: [...edges],
    constants: constants.map((constant) => ({ ...constant, shown_on: [...constant.shown_on] })),
  }
}

function nodeToJson({ elements, outputs, ...rest }: FlowNode): FlowDefinition['nodes'][number] {
  const written = { ...rest, elements: elements.map(elementToJson) }
  return outputs === undefined ? written : { ...written, outputs: [...outputs] }
}

function elementToJson(element: FlowElement): unknown {
  if (element.kind !== 'unrecognised') return element
  const { written_kind: kind, ...rest } = element
  return { ...rest, kind }
}
