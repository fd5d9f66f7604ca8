import { type Definition, parseDefinition } from '@sealpost/flow'
import { accept, decline, type Result } from '@sealpost/kernel'

/** A fault of a body, as `request.invalid` lists them. */
export interface BodyFault {
  readonly path: string
  readonly message: string
}

export const EMPTY_DEFINITION: Definition = {
  entry: '',
  output_mode: 'data_only',
  parties: [],
  nodes: [],
  edges: [],
  constants: [],
}

/** Reads the member `definition` of a body; each fault names its place there. */
export function readDefinitionGiven(given: unknown): Result<Definition, BodyFault[]> {
  const parsed = parseDefinition(given)
  if (parsed.ok) return accept(parsed.value)
  return decline(parsed.refusal.map(({ path, problem }) => ({ path: `/definition${path}`, message: problem })))
}
