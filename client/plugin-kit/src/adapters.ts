import { MAX_BODY_BYTES, type Plugin, type PluginAnswer, tooLarge } from './plugin.ts'
import { readBody } from './read-body.ts'

// Structural types of the used members only, so that no framework is a dependency.

export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** True once the stream was read. */
  readonly readableEnded: boolean
  /** Set by body parsers. */
  readonly body?: unknown
}

export interface NodeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown
  end(text: string): unknown
}

export interface AdapterOptions {
  /** The path of `base_url`, without a slash at the end; empty by default. A router that cuts its prefix needs none. */
  readonly path?: string
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/** `createServer(nodeHandler(plugin))`; in Express `app.use('/cars', nodeHandler(plugin))`, before or after body parsers. */
export function nodeHandler(plugin: Plugin, { path = '' }: AdapterOptions = {}) {
  return (request: NodeRequest, response: NodeResponse, next?: () => void): void => {
    const own = pathBelow(path, request.url)
    if (next !== undefined && own !== '/manifest' && own !== '/call') return next()
    void answer(plugin, request, own).then(({ status, body, headers }) => {
      response.writeHead(status, { ...HEADERS, ...headers })
      response.end(JSON.stringify(body))
    })
  }
}

/** For servers that use `Request` and `Response`. */
export function fetchHandler(plugin: Plugin, { path = '' }: AdapterOptions = {}) {
  return async (request: Request): Promise<Response> => {
    const found = request.body === null ? { body: '' } : await readBody(chunksOf(request.body), MAX_BODY_BYTES)
    const { status, body, headers } =
      found === null
        ? tooLarge()
        : await plugin.handle({
            method: request.method,
            path: pathBelow(path, new URL(request.url).pathname),
            authorization: request.headers.get('authorization') ?? undefined,
            ...found,
          })
    return new Response(JSON.stringify(body), { status, headers: { ...HEADERS, ...headers } })
  }
}

export interface FastifyScope {
  get(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
  post(
    path: string,
    options: { readonly bodyLimit: number },
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): unknown
}

export interface FastifyRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
}

export interface FastifyReply {
  code(status: number): unknown
  headers(values: Readonly<Record<string, string>>): unknown
}

/** `app.register(fastifyPlugin(plugin), { prefix: '/cars' })` */
export function fastifyPlugin(plugin: Plugin) {
  return (scope: FastifyScope): Promise<void> => {
    scope.get('/manifest', (request, reply) => serve(plugin, { method: 'GET', path: '/manifest' }, request, reply))
    scope.post('/call', { bodyLimit: MAX_BODY_BYTES }, (request, reply) =>
      serve(plugin, { method: 'POST', path: '/call' }, request, reply),
    )
    return Promise.resolve()
  }
}

async function serve(
  plugin: Plugin,
  route: { readonly method: string; readonly path: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const authorization = oneHeader(request.headers['authorization'])
  const { status, body, headers } = await plugin.handle({ ...route, authorization, body: request.body })
  reply.code(status)
  reply.headers({ ...HEADERS, ...headers })
  return body
}

async function answer(plugin: Plugin, request: NodeRequest, path: string): Promise<PluginAnswer> {
  const { method = '', headers } = request
  const isRead = request.readableEnded || request.body !== undefined
  const found = isRead ? { body: request.body } : await readStream(request)
  if (found === null) return tooLarge()
  return plugin.handle({ method, path, authorization: oneHeader(headers['authorization']), ...found })
}

/** A body that breaks off is an empty one: the sender has closed the connection and reads no answer. */
async function readStream(request: NodeRequest): Promise<{ readonly body: unknown } | null> {
  try {
    return await readBody(request[Symbol.asyncIterator](), MAX_BODY_BYTES)
  } catch {
    return { body: '' }
  }
}

function pathBelow(base: string, url = ''): string {
  const path = url.replace(/[?#].*$/s, '')
  return path.startsWith(base) ? path.slice(base.length) : ''
}

function oneHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function chunksOf(body: ReadableStream<Uint8Array>): AsyncIterator<unknown> {
  const reader = body.getReader()
  return { next: async () => reader.read() as Promise<IteratorResult<unknown>> }
}
