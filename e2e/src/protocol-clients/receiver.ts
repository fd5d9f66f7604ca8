import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  close(): Promise<void>
}

/** Answers 200 to every delivery. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      deliveries.push({ headers: request.headers, body })
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    deliveries,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
