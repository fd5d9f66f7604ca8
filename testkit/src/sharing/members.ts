/** The members of an object of an answer; none of anything else. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}
