/** Unparsed JSON. */
export type RawObject = Readonly<Record<string, unknown>>

export function isRawObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Anything that is no list counts as an empty one. JSON has no holes; those of a sparse list are filled. */
export function rawList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? Array.from<unknown>(value) : []
}

export function isOneOf<Name extends string>(names: readonly Name[], value: unknown): value is Name {
  return names.some((name) => name === value)
}
