import { Agent, request } from 'node:http'

export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
}

/** Shorter than the server's keep-alive time: a request on a connection that the server closes gets no answer. */
const QUIET_MS = 10_000
/** Not `fetch`, which repeats a request after a 421 by itself. */
const agent = new Agent({ keepAlive: true, maxSockets: 16, timeout: QUIET_MS })

export function send({ method, url, headers, body }: Outgoing): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Node sends the body of a DELETE only with a content-length.
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = request(url, { method, agent, headers: { ...headers, ...length } }, (incoming) => {
      if (incoming.headers['content-type']?.startsWith('text/event-stream') === true) {
        // A stream lasts: its beginning is the answer.
        incoming.once('data', (first: Buffer) => {
          outgoing.destroy()
          resolve({
            status: incoming.statusCode ?? 0,
            headers: pairs(incoming.rawHeaders),
            text: first.toString('utf8'),
          })
        })
        return
      }
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: incoming.statusCode ?? 0, headers: pairs(incoming.rawHeaders), text })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body ?? undefined)
  })
}

export function closeConnections(): void {
  agent.destroy()
}

export function membersOf({ text }: Answer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

function pairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  return raw.flatMap((name, place) => (place % 2 === 0 ? [[name.toLowerCase(), raw[place + 1] ?? ''] as const] : []))
}
