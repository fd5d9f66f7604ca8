import { openCounts } from './counts.ts'
import type { Exchange } from './exchange.ts'

/** How long, and how often, a caller without a verified token may let the server wait for a body. */
export interface HalfSentLimits {
  /** For each 64 KB of the body; also after an answer that did not wait for it. */
  readonly unverifiedBodyMs: number
  /** Of one address, which is the forwarded one behind a trusted proxy. */
  readonly maxPerAddress: number
}

const LEAST_BYTES = 65_536

export interface HalfSent {
  /** False: this address has too many. */
  enter(exchange: Exchange, address: string, onLate: () => void): boolean
}

/**
 * [Note: half-sent bodies] A body that does not come holds a connection, for a minute and more, and its sender needs no login
 * for it. So a caller gets that time only with a verified token; the others have a few seconds, and an
 * address has so many at once. Behind a proxy the address of the connection is the proxy's, so the forwarded one counts.
 */
export function openHalfSent({ unverifiedBodyMs, maxPerAddress }: HalfSentLimits): HalfSent {
  const open = openCounts()
  return {
    enter(exchange, address, onLate) {
      const { raw } = exchange.request
      if (raw.complete || !announcesBody(exchange)) return true
      if (open.of(address) >= maxPerAddress) return false
      open.add(address)
      let seen = raw.socket.bytesRead
      const timer = setInterval(() => {
        const isSlow = raw.socket.bytesRead - seen < LEAST_BYTES
        seen = raw.socket.bytesRead
        if (isSlow && !raw.complete && (exchange.reply.raw.writableEnded || exchange.caller === null)) onLate()
      }, unverifiedBodyMs).unref()
      raw.once('close', () => {
        clearInterval(timer)
        open.remove(address)
      })
      return true
    },
  }
}

function announcesBody({ request: { headers } }: Exchange): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
