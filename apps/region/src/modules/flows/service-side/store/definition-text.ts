import { type Definition, definitionToJson, parseDefinition } from '@sealpost/flow'

export function definitionToText(definition: Definition): string {
  return JSON.stringify(definitionToJson(definition))
}

/** Of a stored row, which holds only what `parseDefinition` has accepted. */
export function readDefinitionText(text: string): Definition {
  const parsed = parseDefinition(JSON.parse(text))
  if (!parsed.ok) throw new Error(`stored definition of a flow: ${JSON.stringify(parsed.refusal[0])}`)
  return parsed.value
}
