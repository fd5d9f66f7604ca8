import type { CallerKind } from '@sealpost/protocol'

/** The paths that a service's data client may reach; what its row holds is a snapshot of this list. */
export const SERVICE_CLIENT_PATTERNS: readonly string[] = [
  '/api/company-data/*',
  '/api/contact-fields*',
  '/api/contact-field-types*',
  '/api/keys/*',
  '/api/service-2fa/*',
]

/** Portal login only, whatever a client's patterns say. */
const NEVER_GRANTED: readonly string[] = [
  '/api/account/password',
  '/api/account/email',
  '/api/account/2fa*',
  '/api/account/delete-request',
  '/api/account/confirm-delete',
  '/api/account/trusted-devices*',
  '/api/profile/migrate-region',
  '/api/profile/keys',
  '/api/account-key',
]

/** A pattern is necessary, not sufficient: the route's own list of callers decides as well. */
export function mayReach(
  path: string,
  patterns: readonly string[],
  caller: CallerKind,
  callers: readonly CallerKind[],
): boolean {
  if (NEVER_GRANTED.some((pattern) => matchesPattern(pattern, path))) return false
  return callers.includes(caller) && patterns.some((pattern) => matchesPattern(pattern, path))
}

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
