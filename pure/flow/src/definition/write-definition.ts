import type { Definition, FlowElement, FlowNode } from './definition.ts'
import type { JsonObject } from './reading.ts'

/** The JSON that `parseDefinition` reads as this definition: an element of an unknown kind is written as it was given. */
export function definitionToJson(definition: Definition): JsonObject {
  return { ...definition, nodes: definition.nodes.map(nodeToJson) }
}

function nodeToJson(node: FlowNode): JsonObject {
  return { ...node, elements: node.elements.map(elementToJson) }
}

function elementToJson(element: FlowElement): JsonObject {
  if (element.kind !== 'unrecognised') return { ...element }
  const { written_kind: kind, ...rest } = element
  return { ...rest, kind }
}
