import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Telemetry } from '@sealpost/telemetry'

/** How long a peer may take, and how many there may be. */
export interface SocketLimits {
  /** From the connection, or from the first byte after an earlier answer, to the end of the head. */
  readonly headersTimeoutMs: number
  /** To the end of the body. */
  readonly requestTimeoutMs: number
  /** Open at once; further connections are closed without an answer. */
  readonly maxConnections: number
}

export const SOCKET_LIMITS: SocketLimits = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 120_000,
  maxConnections: 10_000,
}

/** Limits and counts the connections of a server. */
export function watchSockets(server: Server, { maxConnections }: SocketLimits, telemetry: Telemetry): void {
  let open = 0
  const dropped = telemetry
    .counter('http_connections_dropped', 'Connections closed because too many were open')
    .bind({})
  telemetry.gauge('http_connections', 'Open connections', () => open)
  server.maxConnections = maxConnections
  server.on('drop', () => dropped.add(1))
  server.on('connection', (socket) => {
    open += 1
    rememberAddress(socket)
    socket.once('close', () => (open -= 1))
  })
}

/** Node keeps an address that was read once; after a hang-up it cannot be asked for, and limits by address need it. */
function rememberAddress(socket: Socket): void {
  Reflect.get(socket, 'remoteAddress')
}
