import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitUntil } from '../engines/index.ts'

/** One POST as it came over the wire. */
export interface ReceivedHook {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Exactly the bytes. */
  readonly body: Buffer
  readonly json: Readonly<Record<string, unknown>>
  /** The header that is the same on every attempt. */
  readonly eventId: string
}

/** Answers one POST: a status, or whatever it does with the response itself. */
export type HookBehaviour = (received: ReceivedHook, response: ServerResponse) => number | void | Promise<number | void>

export interface HookReceiver {
  readonly url: string
  readonly all: readonly ReceivedHook[]
  behave(how: HookBehaviour): void
  /** The first so many, once they have come. */
  take(count: number): Promise<readonly ReceivedHook[]>
  /** The most that were ever unanswered at the same time. */
  mostAtOnce(): number
  close(): Promise<void>
}

const IN_TIME_MS = 20_000

export async function startHookReceiver(): Promise<HookReceiver> {
  const all: ReceivedHook[] = []
  let how: HookBehaviour = answerTaken
  let open = 0
  let mostAtOnce = 0
  const server = createServer((request, response) => {
    open += 1
    mostAtOnce = Math.max(mostAtOnce, open)
    response.once('close', () => void (open -= 1))
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { headers, method = '', url: path = '' } = request
      const received = { method, path, headers, body, json: jsonOf(body), eventId: String(headers['webhook-id']) }
      all.push(received)
      void Promise.resolve(how(received, response)).then((status) => {
        if (typeof status === 'number') response.writeHead(status).end('noted')
      })
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    all,
    behave(next) {
      how = next
    },
    async take(count) {
      await waitUntil(`${count} deliveries came`, IN_TIME_MS, async () => all.length >= count)
      return all.slice(0, count)
    },
    mostAtOnce: () => mostAtOnce,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerTaken(): number {
  return 200
}

function jsonOf(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
