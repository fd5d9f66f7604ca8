import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

/** An answer of the honest server on its way to the client. */
export interface HonestAnswer {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** The changed body; undefined leaves the answer as it is. */
export type Lie = (answer: HonestAnswer) => unknown

export interface Seen {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A hostile operator on loopback: hands every call to the honest server and changes members of its answers. */
export interface HostileServer {
  readonly url: string
  /** All requests since the last `tell`. */
  readonly seen: readonly Seen[]
  /** The number of answers that the present lie has changed. */
  readonly changed: number
  /** From now on; null tells the truth. */
  tell(lie: Lie | null): void
  /** The next call that fits reaches the honest server, and its answer is lost with the connection. */
  loseAnswer(of: (sent: Seen) => boolean): void
  close(): Promise<void>
}

/** `always` changes answers before a lie does, and is none: such as the addresses of other proxies. */
export async function openHostileServer(target: string, always: Lie | null = null): Promise<HostileServer> {
  let lie: Lie | null = null
  let changed = 0
  let seen: Seen[] = []
  let isLost: ((sent: Seen) => boolean) | null = null
  const answerTo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { sent, answer } = await forward(request, target)
    seen.push(sent)
    if (isLost?.(sent) === true) {
      isLost = null
      response.destroy()
    } else if (isStream(answer)) passOn(response, answer)
    else {
      const honest = tamper(always, sent, answer, Buffer.from(await answer.arrayBuffer()))
      const told = tamper(lie, sent, answer, honest.bytes)
      if (told.isChanged) changed += 1
      reply(response, answer, told.bytes)
    }
  }
  const server = createServer((request, response) => {
    answerTo(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has an address of this form
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get seen() {
      return seen
    },
    get changed() {
      return changed
    },
    tell(next) {
      ;[lie, changed, seen] = [next, 0, []]
    },
    loseAnswer(of) {
      isLost = of
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function forward(request: IncomingMessage, target: string) {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const { method = 'GET', url = '/' } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !HOP.has(name)) headers.set(name, value)
  }
  const init = body.length === 0 ? { method, headers } : { method, headers, body }
  const answer = await fetch(`${target}${url}`, { ...init, redirect: 'manual' })
  const sent: Seen = { method, path: url.split('?')[0] ?? '', body: body.toString() }
  return { sent, answer }
}

function isStream(answer: Response): boolean {
  return (answer.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

/** A stream has no end to wait for. */
function passOn(response: ServerResponse, answer: Response): void {
  response.writeHead(answer.status, headersOf(answer))
  response.flushHeaders()
  if (answer.body === null) return
  const events = Readable.from(answer.body)
  events.on('error', () => response.destroy())
  response.on('close', () => events.destroy())
  events.pipe(response)
}

/** Of one connection only, or computed again. */
const HOP = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'content-encoding',
])

function tamper(lie: Lie | null, { method, path }: Seen, answer: Response, bytes: Buffer) {
  const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '')
  if (lie === null || !isJson || bytes.length === 0) return { bytes, isChanged: false }
  const told = lie({ method, path, body: JSON.parse(bytes.toString()) })
  if (told === undefined) return { bytes, isChanged: false }
  const changed = Buffer.from(JSON.stringify(told))
  return { bytes: changed, isChanged: !changed.equals(bytes) }
}

/** A digest header follows the changed bytes: the operator computes it, too. */
function reply(response: ServerResponse, answer: Response, bytes: Buffer): void {
  const headers = headersOf(answer)
  for (const name of Object.keys(headers)) {
    if (name.endsWith('content-sha256')) headers[name] = createHash('sha256').update(bytes).digest('hex')
  }
  response.writeHead(answer.status, { ...headers, 'content-length': bytes.length }).end(bytes)
}

function headersOf(answer: Response): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of answer.headers) if (!HOP.has(name)) headers[name] = value
  const cookies = answer.headers.getSetCookie()
  return cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies }
}
