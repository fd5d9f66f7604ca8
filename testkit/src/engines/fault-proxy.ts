import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * What an engine behind the proxy looks like. `frozen`: connections stay open and no byte passes in either direction, as with
 * a stopped process. `slow`: each chunk is late by so many milliseconds. `reset`: connections break at once. `answering`:
 * whatever is sent is answered with these bytes.
 */
export type Fault =
  | { readonly kind: 'none' | 'frozen' | 'reset' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'answering'; readonly bytes: string }

export interface FaultProxy {
  /** The address of the engine, through the proxy. */
  readonly url: string
  /** Holds for open and for new connections. Bytes that waited while frozen pass on afterwards. */
  turn(fault: Fault): void
  close(): Promise<void>
}

export const NO_FAULT: Fault = { kind: 'none' }
/** The answer of an S3 server that is broken. */
export const S3_ERROR = 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
/** Of no engine's protocol. */
export const GARBAGE = '\u0001not a protocol\u0000\r\n\r\n'

interface Direction {
  readonly caller: Socket
  readonly from: Socket
  readonly to: Socket
}

/** A wire between our apps and one engine that can be made bad while they use it. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const address = new URL(target)
  const engine = { host: address.hostname, port: Number(address.port) }
  const sockets = new Set<Socket>()
  let fault = NO_FAULT
  let healed = Promise.withResolvers<void>()

  const passOn = async (chunk: Buffer, { caller, from, to }: Direction): Promise<void> => {
    while (fault.kind === 'frozen') await healed.promise
    if (fault.kind === 'slow') await pause(fault.delayMs)
    if (fault.kind === 'answering') {
      // What the engine itself still sends is dropped.
      if (from === caller) caller.write(fault.bytes)
    } else if (!to.destroyed) to.write(chunk)
  }
  const pump = (direction: Direction): void => {
    const { from, to } = direction
    let queue = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      from.pause()
      queue = queue.then(() => passOn(chunk, direction)).finally(() => from.resume())
    })
    from.once('end', () => void queue.then(() => to.end()))
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ ...engine, allowHalfOpen: true, noDelay: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    if (fault.kind === 'reset') near.resetAndDestroy()
    pump({ caller: near, from: near, to: far })
    pump({ caller: near, from: far, to: near })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has an AddressInfo
  address.port = String((server.address() as AddressInfo).port)
  return {
    url: address.href.replace(/\/$/, ''),
    turn(next) {
      fault = next
      if (fault.kind === 'reset') for (const socket of sockets) socket.resetAndDestroy()
      if (fault.kind === 'frozen') return
      healed.resolve()
      healed = Promise.withResolvers()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
        healed.resolve()
      }),
  }
}
