export interface NamedInput {
  readonly sourceKey: string
  readonly input: string
}

/** Null for a malformed list, and for one that names a source twice. */
export function readInputs(given: unknown): readonly NamedInput[] | null {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return null
  const inputs = new Map<string, NamedInput>()
  for (const one of given) {
    const { source_key: sourceKey, input } = isRecord(one) ? one : {}
    if (typeof sourceKey !== 'string' || typeof input !== 'string' || inputs.has(sourceKey)) return null
    inputs.set(sourceKey, { sourceKey, input })
  }
  return [...inputs.values()]
}

/** The handles in a list that may be malformed. */
export function namedHandles(given: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : []
  return list.flatMap((one) => (isRecord(one) && typeof one['input'] === 'string' ? [one['input']] : []))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
