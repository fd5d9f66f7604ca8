import { resolveType, type TypeDefinition } from '../registry/definition.ts'
import type { Registry } from '../registry/registry.ts'
import { applyCheck } from './checks.ts'
import { membersOf, parseJson } from './json.ts'
import { structuredInputs } from './primitives.ts'

/**
 * A valid value as our apps seal it: web addresses with their scheme, card numbers as bare digits, numbers trimmed.
 * Only before sealing: the sealed text is authoritative, and an attestation is a hash over exactly that text.
 */
export function normaliseValue(registry: Registry, type: string, text: string): string {
  const definition = resolveType(registry, type)
  if (text === '' || !definition.known) return text
  const isObject = structuredInputs.some((input) => input === definition.input)
  return isObject ? normaliseEntries(definition, text) : normaliseText(definition.check, text)
}

function normaliseText(check: string | null, text: string): string {
  const checked = applyCheck(check, text)
  return checked.ok ? checked.value : text
}

/** Returns the same text where no entry changes, so that nothing is rewritten without need. */
function normaliseEntries({ fields }: TypeDefinition, text: string): string {
  const members = new Map(membersOf(parseJson(text)))
  let hasChanged = false
  for (const { key, check } of fields ?? []) {
    const value = members.get(key)
    if (typeof value !== 'string' || value === '') continue
    const normalised = normaliseText(check, value)
    hasChanged ||= normalised !== value
    members.set(key, normalised)
  }
  return hasChanged ? JSON.stringify(Object.fromEntries(members)) : text
}
