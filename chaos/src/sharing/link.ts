import { createConnection, createServer, type Socket } from 'node:net'
import { reservePort } from '@sealpost/testkit'

/** A TCP proxy in front of a server whose connections can be cut. */
export interface Link {
  /** Clients connect here instead of to the server. */
  readonly url: string
  isCut(): boolean
  /** Closes all connections and refuses new ones. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** `target`: `nats://host:port`. */
export async function openLink(target: string): Promise<Link> {
  const { hostname, port: targetPort, protocol } = new URL(target)
  const { port, release } = await reservePort()
  const open = new Set<Socket>()
  let isCut = false
  const track = (socket: Socket): void => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ noDelay: true }, (caller) => {
    track(caller)
    if (isCut) {
      caller.destroy()
      return
    }
    const upstream = createConnection({ host: hostname, port: Number(targetPort), noDelay: true })
    track(upstream)
    caller.pipe(upstream).pipe(caller)
    caller.once('close', () => upstream.destroy())
    upstream.once('close', () => caller.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const closeAll = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `${protocol}//127.0.0.1:${port}`,
    isCut: () => isCut,
    cut() {
      isCut = true
      closeAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      closeAll()
      await new Promise((resolve) => server.close(resolve))
      release()
    },
  }
}
