import { UsageError } from '../terminal.ts'

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/**
 * An address on this machine. All others are refused: events contain what customers shared, and a typing error must not
 * send them to another host.
 */
export function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('--to is an address on this machine, such as http://127.0.0.1:3000/hook')
  }
  if (!LOOPBACK.test(url.hostname)) {
    throw new UsageError(
      `--to points to ${url.hostname}; events are sent to this machine only: localhost, 127.0.0.1 or [::1]`,
    )
  }
  if (url.username !== '' || url.password !== '') throw new UsageError('--to takes no user name and no password')
  return url
}
