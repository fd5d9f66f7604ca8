import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Readable } from 'node:stream'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly json?: unknown
  /** Sent unchanged, instead of `json`. */
  readonly text?: string
  /** Sent chunk by chunk, instead of `json`. */
  readonly parts?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  /** Breaks the connection instead of answering. */
  readonly hangUp?: true
}

export interface StubServer extends AsyncDisposable {
  readonly url: string
  readonly received: readonly Received[]
}

/** An HTTP server on loopback with the answers of the test. */
export async function startServer(
  reply: (received: Received, count: number) => Reply | Promise<Reply>,
): Promise<StubServer> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const incoming = await read(request)
      // `fetch` repeats a request that got 421 once, on a new connection; that is not a second call.
      const isOwnRepeat = received.some(({ headers }) => headers['x-request-id'] === incoming.headers['x-request-id'])
      if (!isOwnRepeat) received.push(incoming)
      const { status, json, text, parts, headers, hangUp } = await reply(incoming, received.length)
      if (hangUp === true) return void request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      if (parts !== undefined) return void Readable.from(parts, { objectMode: true }).pipe(response)
      response.end(text ?? (json === undefined ? '' : JSON.stringify(json)))
    })()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  let body = ''
  request.setEncoding('utf8')
  for await (const chunk of request) body += String(chunk)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const)
  return { method: request.method ?? '', path: request.url ?? '', headers: Object.fromEntries(headers), body }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stub server has no port')
  return address.port
}
