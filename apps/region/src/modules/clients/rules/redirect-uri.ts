const MAX_URI = 2000
/** Schemes that a browser runs or reads from the disk. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
])
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/**
 * Visible ASCII: other characters are percent-encoded, so one address has one spelling. No backslash: browsers read it
 * as a slash, other parsers as part of the host.
 */
const URI_TEXT = /^[\x21-\x5b\x5d-\x7e]+$/

/** An absolute URI without a fragment; custom schemes are for programs on a desktop or phone. */
export function isAbsoluteUri(value: unknown): value is string {
  const url = parse(value)
  if (url === null || REFUSED_SCHEMES.has(url.protocol)) return false
  return isWeb(url) ? url.hostname !== '' : true
}

/** https, or http to the same machine. */
export function isSafeRedirect(value: unknown): value is string {
  const url = parse(value)
  if (url === null) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))
}

function parse(value: unknown): URL | null {
  if (typeof value !== 'string' || value.length > MAX_URI || !URI_TEXT.test(value)) return null
  const url = URL.parse(value)
  if (url === null || value.includes('#') || url.username !== '' || url.password !== '') return null
  // The parser repairs `https:/host`, `https:host` and `https://@host`; only the exact form is stored.
  return isWeb(url) && !/^https?:\/\/[^/?@]+(?:[/?]|$)/i.test(value) ? null : url
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:'
}
