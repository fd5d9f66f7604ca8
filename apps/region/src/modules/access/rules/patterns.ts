import { createBoundedCache } from '@sealpost/kernel'

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

/** Every call asks about the same few patterns. */
const knownParts = createBoundedCache<string, PatternParts>({ most: 1000 })

function partsOf(pattern: string): PatternParts {
  return knownParts.remember(pattern, () => {
    const [head = '', ...middle] = pattern.split('*')
    const tail = middle.pop() ?? null
    return { head, middle, tail }
  })
}
