import { type Definition, definitionToJson, parseDefinition } from '@sealpost/flow'
import { createBoundedCache } from '@sealpost/kernel'

/** A publication reads its draft three times, and each turn of a run its version. Definitions are never changed. */
const parsed = createBoundedCache<string, Definition>({ most: 8 })

export function definitionToText(definition: Definition): string {
  return JSON.stringify(definitionToJson(definition))
}

/** Of a stored row, which holds only what `parseDefinition` has accepted. */
export function readDefinitionText(text: string): Definition {
  return parsed.remember(text, () => parse(text))
}

function parse(text: string): Definition {
  const read = parseDefinition(JSON.parse(text))
  if (!read.ok) throw new Error(`stored definition of a flow: ${JSON.stringify(read.refusal[0])}`)
  return read.value
}
