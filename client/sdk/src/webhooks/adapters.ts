import { bodyLimitOf, type Chunks, discardRest, readBody } from './read-body.ts'
import type { Receiver } from './receiver.ts'

// Structural types of the used members only, so that no framework is a dependency.

export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** True once the stream was read. */
  readonly readableEnded: boolean
  /** Closes the connection. */
  destroy?(): unknown
}

export interface NodeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  end(text: string): unknown
}

/** With the members that body parsers set. */
export interface ExpressRequest extends NodeRequest {
  readonly body?: unknown
  readonly rawBody?: unknown
}

export interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    options: { readonly parseAs: 'buffer'; readonly bodyLimit?: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}

export interface FastifyRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
}

export interface FastifyReply {
  code(status: number): unknown
  type(contentType: string): unknown
  send(text: string): unknown
}

export interface AdapterOptions {
  /** Larger bodies are answered 413; the receiver's limit by default. */
  readonly maxBodyBytes?: number
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }

/** `createServer(nodeHandler(receiver))`, or called by your own routing. */
export function nodeHandler(receiver: Receiver, options: AdapterOptions = {}) {
  const readUpToBytes = limitOf(receiver, options)
  // The stream was read before: the receiver answers with an explanation.
  return (request: NodeRequest, response: NodeResponse): Promise<void> =>
    answer(receiver, request, response, request.readableEnded ? { body: undefined } : { readUpToBytes })
}

/** `app.post('/hooks', expressHandler(receiver))`, above `app.use(express.json())`; `express.raw()` is fine before it. */
export function expressHandler(receiver: Receiver, options: AdapterOptions = {}) {
  const readUpToBytes = limitOf(receiver, options)
  return (request: ExpressRequest, response: NodeResponse): Promise<void> => {
    const kept = [request.rawBody, request.body].find((body) => body instanceof Uint8Array)
    const isTaken = kept !== undefined || request.readableEnded
    return answer(receiver, request, response, isTaken ? { body: kept ?? request.body } : { readUpToBytes })
  }
}

/** `app.register(fastifyPlugin(receiver, { path: '/hooks' }))`: keeps the raw bytes in its own scope and nowhere else. */
export function fastifyPlugin(receiver: Receiver, options: AdapterOptions & { readonly path: string }) {
  const limit = { parseAs: 'buffer', bodyLimit: limitOf(receiver, options) } as const
  return (scope: FastifyScope): Promise<void> => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', limit, (_, body, done) => done(null, body))
    scope.post(options.path, async (request, reply) => {
      const { status, text } = await receiver.receive({ ...read(request), body: request.body })
      reply.code(status)
      reply.type(TEXT['content-type'])
      return text
    })
    return Promise.resolve()
  }
}

function limitOf(receiver: Receiver, { maxBodyBytes = receiver.maxBodyBytes }: AdapterOptions): number {
  return bodyLimitOf(maxBodyBytes)
}

function read({ method = '', headers }: Pick<NodeRequest, 'method' | 'headers'>) {
  return { method, headers }
}

async function answer(receiver: Receiver, request: NodeRequest, response: NodeResponse, given: Given): Promise<void> {
  // Not with for await: leaving that loop early destroys the request, and with it the connection of the answer.
  const chunks = request[Symbol.asyncIterator]()
  const found = 'body' in given ? given : await readBody(chunks, request.headers['content-length'], given.readUpToBytes)
  const isRead = 'body' in found
  const { status, text } = isRead ? await receiver.receive({ ...read(request), ...found }) : found.refusal
  response.writeHead(status, TEXT)
  response.end(text)
  if (!isRead && 'readUpToBytes' in given) await leave(request, chunks, given.readUpToBytes)
}

/** A body that was read before, or the limit for reading it. */
type Given = { readonly body: unknown } | { readonly readUpToBytes: number }

/** Closing a connection with unread data can lose the answer: reads and discards up to the limit, then closes it. */
async function leave(request: NodeRequest, chunks: Chunks, limit: number): Promise<void> {
  const isOver = await discardRest(chunks, limit).catch(() => true)
  if (!isOver) request.destroy?.()
}
