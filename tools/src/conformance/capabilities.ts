/**
 * The column `since` of the requirements: what must exist before a rule can be shown at all, in the order in which the
 * product grows. `--since delivery` looks at the rules of `delivery` and of everything before it.
 */
export const CAPABILITIES = [
  'foundation',
  'pure',
  'access',
  'sharing',
  'delivery',
  'documents',
  'flows',
  'plugins',
  'sdk',
  'person',
  'portal',
  'move',
] as const

export type Capability = (typeof CAPABILITIES)[number]

export function parseCapability(text: string): Capability | null {
  return CAPABILITIES.find((capability) => capability === text) ?? null
}

export function capabilitiesUpTo(last: Capability): readonly Capability[] {
  return CAPABILITIES.slice(0, CAPABILITIES.indexOf(last) + 1)
}
