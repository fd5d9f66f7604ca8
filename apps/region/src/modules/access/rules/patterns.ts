/** fnmatch with `*` alone, which also crosses `/`; linear in both lengths, whatever the pattern. */
export function matchesPattern(pattern: string, path: string): boolean {
  const { head, middle, tail } = partsOf(pattern)
  if (tail === null) return path === head
  if (!path.startsWith(head)) return false
  let from = head.length
  for (const part of middle) {
    const found = path.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return path.length - from >= tail.length && path.endsWith(tail)
}

interface PatternParts {
  readonly head: string
  readonly middle: readonly string[]
  /** Null when the pattern has no star. */
  readonly tail: string | null
}

const REMEMBERED_PATTERNS = 1000
const knownParts = new Map<string, PatternParts>()

/** Every call asks about the same few patterns. */
function partsOf(pattern: string): PatternParts {
  const known = knownParts.get(pattern)
  if (known !== undefined) return known
  const [head = '', ...middle] = pattern.split('*')
  const tail = middle.pop() ?? null
  if (knownParts.size >= REMEMBERED_PATTERNS) knownParts.clear()
  knownParts.set(pattern, { head, middle, tail })
  return { head, middle, tail }
}
