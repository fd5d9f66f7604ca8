/**
 * [Note: attribute keys] Spans and metrics leave the machine for an operator's collector, so they may only say which
 * part of the program did what and how it ended. What a person or a company wrote, is called or owns has no key here.
 * The compiler holds callers to the list; `allowedAttributes` drops whatever slips past it.
 */
export const ATTRIBUTE_KEYS = [
  'attempt',
  'batch.size',
  'bus.kind',
  'bus.stream',
  'bus.subject',
  'channel',
  'db.operation.name',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'job',
  'lane',
  'mode',
  'module',
  'operation',
  'outcome',
  'rate.policy',
  'reason',
  'region',
  'region.peer',
  'role',
  'stage',
  'store',
  'table',
] as const

export type AttributeKey = (typeof ATTRIBUTE_KEYS)[number]
export type AttributeValue = string | number | boolean
export type Attributes = { readonly [Key in AttributeKey]?: AttributeValue }

/** Long enough for a route template, too short for a document. */
export const ATTRIBUTE_VALUE_LIMIT = 120

const allowed: ReadonlySet<string> = new Set(ATTRIBUTE_KEYS)

/** A copy with the known keys only, in the order of their names; long text is cut. */
export function allowedAttributes(attributes: Attributes): Record<string, AttributeValue> {
  const kept: Record<string, AttributeValue> = {}
  for (const [key, value] of Object.entries(attributes).toSorted(byKey)) {
    if (!allowed.has(key)) continue
    kept[key] = typeof value === 'string' ? value.slice(0, ATTRIBUTE_VALUE_LIMIT) : value
  }
  return kept
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1
}
