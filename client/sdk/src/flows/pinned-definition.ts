import { type Definition, type FlowNode, parseDefinition } from '@sealpost/flow/run'
import { digestJson } from '../canonical-json.ts'
import type { KeyPins } from '../keys/pins.ts'
import { UntrustedAnswerError } from '../untrusted.ts'
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

/**
 * The definition says what is asked, who reads it and what a plugin gets, and it never changes: the server cannot show
 * another one for a run that this client knows.
 */
export async function pinDefinition(
  pins: KeyPins,
  asked: string,
  { id, definition, reference_date: date }: Pick<FlowRun, 'id' | 'definition' | 'reference_date'>,
): Promise<void> {
  if (id !== asked) throw new UntrustedAnswerError('other_run', `run ${asked}`)
  const digest = await digestJson([definition, date])
  const name = `run-definition:${id}`
  const known = await pins.get(name)
  if (known === undefined) await pins.set(name, digest)
  else if (known !== digest) throw new UntrustedAnswerError('run_definition', `run ${id}`)
}
