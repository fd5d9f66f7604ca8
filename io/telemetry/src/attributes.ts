/**
 * Spans and metrics leave the machine for an operator's collector, so they may only name a part of the program, its
 * operation and the outcome. User data, names and ids of customers have no key here. The compiler restricts callers to
 * the list; `allowedAttributes` removes all other keys.
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
  'event.kind',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'job',
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
