import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SinkArrival {
  readonly webhook: number
  readonly id: string
  readonly atMs: number
}

/** The endpoints of all webhooks; bad ones never answer. */
export interface Sink {
  url(webhook: number): string
  /** Arrivals at the other ones since the last call. */
  takeArrivals(): readonly SinkArrival[]
  /** Bad ones that got a request since the last call. */
  takeHung(): ReadonlySet<number>
  hanging(): number
  close(): Promise<void>
}

export async function openSink(isBad: (webhook: number) => boolean): Promise<Sink> {
  let arrivals: SinkArrival[] = []
  let hung = new Set<number>()
  let hanging = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, answer) => {
    const atMs = performance.now()
    const webhook = Number(request.url?.split('/').at(-1))
    request.resume()
    if (isBad(webhook)) {
      hung.add(webhook)
      hanging += 1
      answer.once('close', () => (hanging -= 1))
      return
    }
    arrivals.push({ webhook, id: String(request.headers['webhook-id']), atMs })
    answer.end('ok')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: (webhook) => `http://127.0.0.1:${port}/webhook/${webhook}`,
    takeArrivals() {
      const taken = arrivals
      arrivals = []
      return taken
    },
    takeHung() {
      const taken = hung
      hung = new Set()
      return taken
    },
    hanging: () => hanging,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
