import { type Definition, type FlowNode, parseDefinition } from '@sealpost/flow/run'
import { FlowError } from './flow-error.ts'
import type { FlowRun } from './run.ts'

/** The definition of the run itself, which never changes; the flow may have newer versions. */
export function pinnedDefinition({ id, definition }: Pick<FlowRun, 'id' | 'definition'>): Definition {
  return readDefinition(definition, `run ${id}`)
}

export function readDefinition(definition: unknown, subject: string): Definition {
  const parsed = parseDefinition(definition)
  if (!parsed.ok) throw new FlowError('definition_unreadable', subject)
  return parsed.value
}

export function currentNode(definition: Definition, { id, current_node: key }: FlowRun): FlowNode {
  const node = definition.nodes.find((one) => one.key === key)
  if (node === undefined) throw new FlowError('definition_unreadable', `run ${id}, step ${key}`)
  return node
}
