import { createConnection, createServer, type Socket } from 'node:net'
import { reservePort } from '@sealpost/testkit'

/** The way to a server, with somebody who can pull the plug. */
export interface Link {
  /** Where to connect instead of the server itself. */
  readonly url: string
  isCut(): boolean
  /** Ends what is connected and lets nobody through. */
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
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ noDelay: true }, (caller) => {
    keep(caller)
    if (isCut) {
      caller.destroy()
      return
    }
    const onward = createConnection({ host: hostname, port: Number(targetPort), noDelay: true })
    keep(onward)
    caller.pipe(onward).pipe(caller)
    caller.once('close', () => onward.destroy())
    onward.once('close', () => caller.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const endAll = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `${protocol}//127.0.0.1:${port}`,
    isCut: () => isCut,
    cut() {
      isCut = true
      endAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      endAll()
      await new Promise((resolve) => server.close(resolve))
      release()
    },
  }
}
