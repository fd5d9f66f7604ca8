import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** Changes to what passes; texts are of equal length, so that only content suffers. */
export interface Tampering {
  /** In requests. */
  readonly up?: readonly [from: string, to: string]
  /** In responses. */
  readonly down?: readonly [from: string, to: string]
}

export interface TamperingProxy {
  readonly url: string
  close(): Promise<void>
}

/** A bad wire between a client and a server on loopback. */
export async function startTamperingProxy(target: string, tampering: Tampering): Promise<TamperingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(replacing(tampering.up)).pipe(far)
    far.pipe(replacing(tampering.down)).pipe(near)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
  const own = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function replacing(change: readonly [string, string] | undefined): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (change === undefined) return done(null, chunk)
      done(null, Buffer.from(chunk.toString('latin1').replaceAll(change[0], change[1]), 'latin1'))
    },
  })
}
