import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net'
import { instant, type Clock } from '@sealpost/kernel'
import { openEgress, type Egress, type EgressOptions } from './egress.ts'
import type { EgressRequest } from './request.ts'

/** A server on loopback that keeps a list of its connections. */
export interface TestServer {
  readonly port: number
  readonly url: string
  /** All connections ever made to it. */
  readonly sockets: readonly Socket[]
  openSockets(): number
  close(): Promise<void>
}

export const testClock: Clock = { now: () => instant(performance.now()) }

export function startHttp(handler: RequestListener): Promise<TestServer> {
  return startServer(createServer(handler))
}

export async function startServer(server: Server | TcpServer, scheme = 'http'): Promise<TestServer> {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/`,
    sockets,
    openSockets: () => sockets.filter((socket) => !socket.destroyed).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** May call loopback, as in development; names resolve to 127.0.0.1. */
export function openTestEgress(options: Partial<EgressOptions> = {}): Egress {
  return openEgress({
    policy: { allowPrivateTargets: true },
    clock: testClock,
    resolver: { resolve: async () => ['127.0.0.1'] },
    ...options,
  })
}

export function getRequest(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return { method: 'GET', url, connectTimeoutMs: 5_000, totalTimeoutMs: 10_000, maxResponseBytes: 65_536, ...more }
}
