import type { Receiver, ReceiverAnswer } from './receiver.ts'

// Structural, so that no framework has to be there: these are the members that are used, and the real ones fit.

export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** True once somebody has read the stream. */
  readonly readableEnded: boolean
}

export interface NodeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  end(text: string): unknown
}

/** What body parsers leave behind. */
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
  /** Larger bodies are answered 413; 16 MiB unless told. */
  readonly maxBodyBytes?: number
}

const MAX_BODY_BYTES = 16 << 20
const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const TOO_LARGE = { status: 413, text: 'the body is too large' } as const
const CUT_OFF = { status: 400, text: 'the body did not come whole' } as const

type Answered = ReceiverAnswer | typeof TOO_LARGE | typeof CUT_OFF

/** `createServer(nodeHandler(receiver))`, or called by your own routing. */
export function nodeHandler(receiver: Receiver, options: AdapterOptions = {}) {
  // A stream that somebody has read gives nothing: the receiver explains.
  return (request: NodeRequest, response: NodeResponse): Promise<void> =>
    answer(receiver, request, response, () => (request.readableEnded ? undefined : readBody(request, options)))
}

/** `app.post('/hooks', expressHandler(receiver))`, above `app.use(express.json())`; `express.raw()` is fine before it. */
export function expressHandler(receiver: Receiver, options: AdapterOptions = {}) {
  return (request: ExpressRequest, response: NodeResponse): Promise<void> =>
    answer(receiver, request, response, () => {
      const kept = [request.rawBody, request.body].find((body) => body instanceof Uint8Array)
      return kept ?? (request.readableEnded ? request.body : readBody(request, options))
    })
}

/** `app.register(fastifyPlugin(receiver, { path: '/hooks' }))`: keeps the raw bytes in its own scope and nowhere else. */
export function fastifyPlugin(receiver: Receiver, options: AdapterOptions & { readonly path: string }) {
  return (scope: FastifyScope): Promise<void> => {
    scope.removeAllContentTypeParsers()
    const limit = { parseAs: 'buffer', bodyLimit: options.maxBodyBytes ?? MAX_BODY_BYTES } as const
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

function read({ method = '', headers }: Pick<NodeRequest, 'method' | 'headers'>) {
  return { method, headers }
}

async function answer(
  receiver: Receiver,
  request: NodeRequest,
  response: NodeResponse,
  bodyOf: () => unknown,
): Promise<void> {
  const { status, text } = await receiveWhole(receiver, request, bodyOf)
  response.writeHead(status, TEXT)
  response.end(text)
}

async function receiveWhole(receiver: Receiver, request: NodeRequest, bodyOf: () => unknown): Promise<Answered> {
  let body: unknown
  try {
    body = await bodyOf()
  } catch {
    // The sender has gone, and nobody reads this answer.
    return CUT_OFF
  }
  return body === TOO_LARGE ? TOO_LARGE : receiver.receive({ ...read(request), body })
}

/** The rest of what is too large is read and dropped, so that the sender gets its answer. */
async function readBody(request: NodeRequest, { maxBodyBytes = MAX_BODY_BYTES }: AdapterOptions): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk))
    length += bytes.length
    if (length <= maxBodyBytes) chunks.push(bytes)
    else chunks.length = 0
  }
  return length > maxBodyBytes ? TOO_LARGE : join(chunks, length)
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
