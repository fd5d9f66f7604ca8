/** RFC 6901: a place inside a JSON document. */
export type JsonPointer = string

export function pointer(at: JsonPointer, ...segments: readonly (string | number)[]): JsonPointer {
  return segments.reduce<string>((path, segment) => `${path}/${escaped(String(segment))}`, at)
}

/** The order of reading: list places by number, `/nodes/2` before `/nodes/10`. */
export function comparePointers(one: JsonPointer, other: JsonPointer): number {
  const ours = one.split('/')
  const theirs = other.split('/')
  for (const [place, segment] of ours.entries()) {
    const order = compareSegments(segment, theirs[place])
    if (order !== 0) return order
  }
  return ours.length - theirs.length
}

function compareSegments(one: string, other: string | undefined): number {
  if (other === undefined) return 1
  if (one === other) return 0
  const isListed = /^\d+$/.test(one) && /^\d+$/.test(other)
  if (isListed && Number(one) !== Number(other)) return Number(one) - Number(other)
  return one < other ? -1 : 1
}

function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}
