import { UsageError } from '../terminal.ts'

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/** `3000`, `localhost:3000` and `localhost:3000/hook` are addresses without their scheme. */
const WITHOUT_SCHEME = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?(\/|$)/
const PORT = /^\d{1,5}$/

/**
 * An address on this machine. All others are refused: events contain what customers shared, and a typing error must not
 * send them to another host.
 */
export function parseTarget(given: string): URL {
  const withHost = PORT.test(given) ? `127.0.0.1:${given}` : given
  const text = WITHOUT_SCHEME.test(withHost) ? `http://${withHost}` : withHost
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${given} is not an address on this machine, such as localhost:3000/hook`)
  }
  if (!LOOPBACK.test(url.hostname)) {
    throw new UsageError(
      `${url.hostname} is another machine; events are sent to this machine only: localhost, 127.0.0.1 or [::1]`,
    )
  }
  if (url.username !== '' || url.password !== '') throw new UsageError('the address takes no user name and no password')
  return url
}
