import { once } from 'node:events'
import Type from 'typebox'
import Value from 'typebox/value'
import { reservePort } from '../engines/ports.ts'
import { waitUntil } from '../engines/wait-until.ts'
import type { AppProcess } from './app-process.ts'

/** The inspector of a running process. */
export interface Inspector {
  /** What is left on the heap afterwards is in use. */
  collectGarbage(): Promise<void>
  /** All objects and texts that are in use, as the format of V8 has them. */
  heapSnapshot(): Promise<Buffer>
  close(): void
}

const Targets = Type.Array(Type.Object({ webSocketDebuggerUrl: Type.String() }))
const Chunk = Type.Object({
  method: Type.Literal('HeapProfiler.addHeapSnapshotChunk'),
  params: Type.Object({ chunk: Type.String() }),
})
const PORT = /--inspect-port=(\d+)/
const OPEN_DEADLINE_MS = 10_000

/** A setting of a process with which its inspector can be opened later. */
export async function inspectable(): Promise<Readonly<Record<string, string>>> {
  const { port } = await reservePort()
  return { NODE_OPTIONS: `--inspect-port=${port}` }
}

export async function openInspector(process_: AppProcess): Promise<Inspector> {
  const port = PORT.exec(process_.environment()['NODE_OPTIONS'] ?? '')?.[1]
  if (port === undefined) throw new Error(`${process_.name} was started without a port for its inspector`)
  process.kill(process_.pid(), 'SIGUSR1')
  let address = ''
  await waitUntil(`the inspector of ${process_.name} answers`, OPEN_DEADLINE_MS, async () => {
    address = await addressAt(port).catch(() => '')
    return address !== ''
  })
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let last = 0
  const send = (method: string): Promise<void> => {
    const id = (last += 1)
    const answered = answerTo(socket, id)
    socket.send(JSON.stringify({ id, method }))
    return answered
  }
  return {
    collectGarbage: () => send('HeapProfiler.collectGarbage'),
    async heapSnapshot() {
      const chunks: Buffer[] = []
      const onMessage = ({ data }: MessageEvent): void => {
        const message: unknown = JSON.parse(String(data))
        if (Value.Check(Chunk, message)) chunks.push(Buffer.from(message.params.chunk))
      }
      socket.addEventListener('message', onMessage)
      await send('HeapProfiler.takeHeapSnapshot')
      socket.removeEventListener('message', onMessage)
      return Buffer.concat(chunks)
    },
    close: () => socket.close(),
  }
}

async function addressAt(port: string): Promise<string> {
  const [target] = Value.Parse(Targets, await (await fetch(`http://127.0.0.1:${port}/json`)).json())
  return target?.webSocketDebuggerUrl ?? ''
}

function answerTo(socket: WebSocket, id: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onMessage = ({ data }: MessageEvent): void => {
    const message: unknown = JSON.parse(String(data))
    if (typeof message !== 'object' || message === null || !('id' in message) || message.id !== id) return
    forget()
    if ('error' in message) reject(new Error(JSON.stringify(message.error)))
    else resolve()
  }
  const onClose = (): void => reject(new Error('the inspector has closed'))
  const forget = (): void => {
    socket.removeEventListener('message', onMessage)
    socket.removeEventListener('close', onClose)
  }
  socket.addEventListener('message', onMessage)
  socket.addEventListener('close', onClose)
  return promise
}
