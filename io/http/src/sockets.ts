import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Telemetry } from '@sealpost/telemetry'
import { addressName } from './address.ts'
import { openCounts } from './counts.ts'
import { trusts } from './trusted-proxies.ts'

/** How long a peer may take, and how many there may be. */
export interface SocketLimits {
  /** From the connection, or from the first byte after an earlier answer, to the end of the head. */
  readonly headersTimeoutMs: number
  /** To the end of the body. */
  readonly requestTimeoutMs: number
  /** Open at once; further connections are closed without an answer. */
  readonly maxConnections: number
  /** Of these from one address, an IPv6 address by its /64; trusted proxies have no such limit. */
  readonly maxPerAddress: number
  /** For each 64 KB of the body of a caller without a verified token: [Note: half-sent bodies]. */
  readonly unverifiedBodyMs: number
}

export const SOCKET_LIMITS: SocketLimits = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 120_000,
  maxConnections: 10_000,
  maxPerAddress: 512,
  unverifiedBodyMs: 10_000,
}

/** Limits and counts the connections of a server. */
export function watchSockets(
  server: Server,
  { maxConnections, maxPerAddress }: SocketLimits,
  trustedProxies: readonly string[],
  telemetry: Telemetry,
): void {
  let open = 0
  const byAddress = openCounts()
  const isProxy = trusts(trustedProxies)
  const dropped = telemetry
    .counter('http_connections_dropped', 'Connections closed because too many were open')
    .bind({})
  telemetry.gauge('http_connections', 'Open connections', () => open)
  server.maxConnections = maxConnections
  server.on('drop', () => dropped.add(1))
  server.on('connection', (socket) => {
    open += 1
    const address = rememberAddress(socket)
    const name = isProxy(address) ? null : addressName(address)
    const ofAddress = name === null ? 0 : byAddress.add(name)
    socket.once('close', () => {
      open -= 1
      if (name !== null) byAddress.remove(name)
    })
    if (ofAddress <= maxPerAddress) return
    dropped.add(1)
    socket.destroy()
  })
}

/** Node keeps an address that was read once; after a hang-up it cannot be asked for, and limits by address need it. */
function rememberAddress(socket: Socket): string {
  return socket.remoteAddress ?? ''
}
