import { accept, decline, type Result } from '@sealpost/kernel'

/** Why a path is refused; sent to the caller, so it names the fault and never repeats the text. */
export type PathRefusal =
  | 'the path must start with a slash'
  | 'the path is too long'
  | 'the path holds an empty segment'
  | 'the path holds a dot segment'
  | 'the path holds a character that must be percent-encoded'
  | 'the path holds a broken percent-escape'
  | 'the path holds a NUL'

const LONGEST = 2048
const PLAIN = /^(?:\/(?!\.\.?(?:\/|$))[\w.~!$&'()*+,;=:@-]+)+$/
const ESCAPE = /%([0-9A-Fa-f]{2})?/g
const LETTER_ALLOWED = /^[\w.~!$&'()*+,;=:@%/-]*$/
const UNRESERVED = /^[\w.~-]$/

/**
 * [Note: canonical path] Access is granted by pattern on the path, so one address must have one spelling: escapes of
 * unreserved characters are decoded once, the other escapes get capital digits, and spellings that a proxy might read
 * as another path (dot segments, empty segments, NUL) are refused. Case is never folded. A trailing slash stays: it is
 * another path. `%2F` stays too, since only the route knows whether it is allowed there.
 */
export function canonicalPath(raw: string): Result<string, PathRefusal> {
  if (raw.length > LONGEST) return decline('the path is too long')
  return PLAIN.test(raw) || raw === '/' ? accept(raw) : canonicalise(raw)
}

function canonicalise(raw: string): Result<string, PathRefusal> {
  if (!raw.startsWith('/')) return decline('the path must start with a slash')
  if (!LETTER_ALLOWED.test(raw)) return decline('the path holds a character that must be percent-encoded')
  const path = decodeUnreserved(raw)
  if (path === null || !isUtf8(path)) return decline('the path holds a broken percent-escape')
  if (path.includes('%00')) return decline('the path holds a NUL')
  if (path.includes('//')) return decline('the path holds an empty segment')
  if (path.split(/\/|%2F/).some((segment) => segment === '.' || segment === '..')) {
    return decline('the path holds a dot segment')
  }
  return accept(path)
}

function decodeUnreserved(raw: string): string | null {
  let broken = false
  const path = raw.replace(ESCAPE, (escape: string, digits: string | undefined) => {
    if (digits === undefined) {
      broken = true
      return escape
    }
    const letter = String.fromCharCode(Number.parseInt(digits, 16))
    return UNRESERVED.test(letter) ? letter : escape.toUpperCase()
  })
  return broken ? null : path
}

function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
