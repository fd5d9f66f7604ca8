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
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return path === pattern
  if (!path.startsWith(head)) return false
  let from = head.length
  for (const part of rest) {
    const found = path.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return path.length - from >= tail.length && path.endsWith(tail)
}
