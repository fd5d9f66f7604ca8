import { connect, type Socket } from 'node:net'

/** What an answer says; null when the connection broke. */
export type Answered = { readonly status: number; readonly hasRetryAfter: boolean } | null

const HEAD_END = '\r\n\r\n'

/**
 * Calls over kept connections that cost the caller almost nothing: it shares the machine with the process that it
 * overloads. Answers have a Content-Length.
 */
export class LightClient {
  readonly #target: { readonly host: string; readonly port: number }
  readonly #free: Socket[] = []
  readonly #all = new Set<Socket>()

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#target = { host: hostname, port: Number(port) }
  }

  send(request: string): Promise<Answered> {
    const socket = this.#free.pop() ?? this.#open()
    return new Promise((resolve) => {
      let text = ''
      const end = (answered: Answered): void => {
        socket.off('data', read).off('close', lose)
        if (answered !== null && !socket.destroyed) this.#free.push(socket)
        resolve(answered)
      }
      const read = (chunk: string): void => {
        text += chunk
        const head = text.indexOf(HEAD_END)
        if (head === -1) return
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
        if (Buffer.byteLength(text) < head + HEAD_END.length + length) return
        end({ status: Number(text.slice(9, 12)), hasRetryAfter: /\r\nretry-after: /i.test(text.slice(0, head)) })
      }
      const lose = (): void => end(null)
      socket.on('data', read).once('close', lose)
      socket.write(request)
    })
  }

  close(): void {
    for (const socket of this.#all) socket.destroy()
  }

  #open(): Socket {
    const socket = connect(this.#target).setNoDelay(true).setEncoding('utf8')
    this.#all.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => this.#all.delete(socket))
    return socket
  }
}
