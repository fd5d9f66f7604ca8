import { createConnection, createServer, type Socket } from 'node:net'
import type { AppProcess } from './app-process.ts'

/** One address in front of several processes, as an operator would have it: connections go to those that are ready. */
export interface Balancer {
  close(): Promise<void>
}

const LOOK_EVERY_MS = 100
const LOOK_DEADLINE_MS = 1000

/** Passes connections on in turn. It asks each process whether it is ready, and tries the next when one does not listen. */
export async function openBalancer(port: number, processes: readonly AppProcess[]): Promise<Balancer> {
  const open = new Set<Socket>()
  const ready = new Set<AppProcess>(processes)
  let turn = 0
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (caller) => {
    keep(caller)
    caller.on('error', () => {})
    turn += 1
    const inTurn = processes.map((_, index) => processes[(turn + index) % processes.length])
    const choice = inTurn.filter((one) => one !== undefined)
    // If no process is ready, one that listens is better than none.
    const first = choice.filter((one) => ready.has(one))
    passOn(caller, [...first, ...choice.filter((one) => !ready.has(one))], keep)
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const looking = setInterval(() => {
    for (const one of processes) void isReady(one).then((is) => (is ? ready.add(one) : ready.delete(one)))
  }, LOOK_EVERY_MS)
  return {
    async close() {
      clearInterval(looking)
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

function passOn(caller: Socket, choice: readonly AppProcess[], keep: (socket: Socket) => void): void {
  const [process, ...others] = choice
  if (process === undefined) {
    caller.destroy()
    return
  }
  const { port } = new URL(process.url)
  const callee = createConnection({ host: '127.0.0.1', port: Number(port), noDelay: true })
  const goOn = () => passOn(caller, others, keep)
  callee.once('error', goOn)
  callee.once('connect', () => {
    keep(callee)
    callee.off('error', goOn)
    // Either end that breaks takes the other one along.
    callee.on('error', () => caller.destroy())
    callee.once('close', () => caller.destroy())
    caller.once('close', () => callee.destroy())
    caller.pipe(callee)
    callee.pipe(caller)
  })
}

async function isReady({ internalUrl }: AppProcess): Promise<boolean> {
  try {
    return (await fetch(`${internalUrl}/internal/ready`, { signal: AbortSignal.timeout(LOOK_DEADLINE_MS) })).ok
  } catch {
    return false
  }
}
