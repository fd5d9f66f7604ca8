import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A call whose caller reads the start of the answer and then stops. */
export interface StuckCall {
  /** Resets the connection, as a crash would. */
  hangUp(): void
  /** Reads the rest; answers the whole text. */
  readOn(): Promise<string>
}

/** Resolves when the answer has started, while the server still writes it. */
export async function stickAt(url: string, token: string): Promise<StuckCall> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket: Socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  const lines = [`GET ${pathname}${search} HTTP/1.1`, `Host: ${hostname}:${port}`, `Authorization: Bearer ${token}`]
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  const parts: Buffer[] = []
  await once(socket, 'readable')
  parts.push(firstPart(socket))
  return {
    hangUp: () => void socket.resetAndDestroy(),
    async readOn() {
      socket.on('data', (part: Buffer) => void parts.push(part))
      socket.resume()
      await once(socket, 'end')
      return Buffer.concat(parts).toString()
    },
  }
}

function firstPart(socket: Socket): Buffer {
  const part: unknown = socket.read(1024) ?? socket.read()
  if (!Buffer.isBuffer(part)) throw new Error('the connection ended before an answer came')
  return part
}
