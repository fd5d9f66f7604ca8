/**
 * The values of the keys of a flow: field slugs, dotted plugin keys, constants. A map, because a slug may be
 * `__proto__`.
 */
export type Answers = ReadonlyMap<string, unknown>

export type Lookup = Pick<Answers, 'get'>

export function answersFrom(values: Readonly<Record<string, unknown>>): Answers {
  return new Map(Object.entries(values))
}

/** White space, false, 0 and an empty list are answers. */
export function isAnswered(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}
