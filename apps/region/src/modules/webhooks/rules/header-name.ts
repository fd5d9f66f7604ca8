const RFC_9110_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/

/** Of the connection, not of the message: HTTP itself would break, and with it every delivery. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** A header that a delivery may carry beside those of the platform. `Authorization` may be named. */
export function isAllowedHeaderName(name: string, vendor: string): boolean {
  if (!RFC_9110_TOKEN.test(name)) return false
  const lower = name.toLowerCase()
  if (lower === 'host' || OF_THE_CONNECTION.has(lower)) return false
  return !['content-', 'proxy-', 'webhook-', 'x-platform-', `x-${vendor.toLowerCase()}-`].some((prefix) =>
    lower.startsWith(prefix),
  )
}
