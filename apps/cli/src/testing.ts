import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, instant } from '@sealpost/kernel'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

/** A terminal for tests, with a folder of its own. */
export interface TestTerminal extends Disposable {
  readonly folder: string
  readonly environment: Record<string, string>
  /** Answers what was printed and told, and the exit code. */
  run(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly told: string }>
  /** For a command that runs until Ctrl-C. */
  start(...words: readonly string[]): RunningCommand
}

export interface RunningCommand {
  /** Grows while it runs. */
  readonly out: readonly string[]
  readonly told: readonly string[]
  /** How long each wait was to be; none takes longer than a moment. */
  readonly waits: readonly number[]
  /** The machine slept, or a long time went by. */
  advance(ms: number): void
  /** Ctrl-C; answers the exit code. */
  interrupt(): Promise<number>
  readonly ended: Promise<number>
}

const SHORT_MS = 20

export function openTerminal(environment: Readonly<Record<string, string>> = {}): TestTerminal {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-cli-'))
  const own = { ...environment }
  function start(...words: readonly string[]): RunningCommand {
    const [out, told, waits]: [string[], string[], number[]] = [[], [], []]
    const interruption = new AbortController()
    const clock = movableClock()
    const terminal: Terminal = {
      environment: own,
      folder,
      homeFolder: folder,
      print: (line) => void out.push(line),
      tell: (line) => void told.push(line),
      clock,
      async wait(ms, signal) {
        waits.push(ms)
        clock.advance(ms)
        await shortly(signal)
      },
      untilInterrupted: () => interruption.signal,
    }
    const ended = run(terminal, words)
    return {
      out,
      told,
      waits,
      advance: (ms) => clock.advance(ms),
      interrupt() {
        interruption.abort()
        return ended
      },
      ended,
    }
  }
  return {
    folder,
    environment: own,
    start,
    async run(...words) {
      const { out, told, ended } = start(...words)
      const code = await ended
      return { code, out: out.join('\n'), told: told.join('\n') }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A receiver of webhooks on this machine that keeps what it gets. */
export interface TestReceiver {
  readonly url: string
  readonly port: number
  readonly taken: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** From now on this is answered, as soon as it is known; `hang up` ends the connection without an answer. */
  answer(status: number | 'hang up' | Promise<number>): void
  close(): Promise<void>
}

export async function openReceiver(port = 0): Promise<TestReceiver> {
  const taken: { headers: IncomingHttpHeaders; body: string }[] = []
  let answer: number | 'hang up' | Promise<number> = 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      taken.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      if (answer === 'hang up') request.socket.destroy()
      else void Promise.resolve(answer).then((status) => response.writeHead(status).end('thanks'))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const bound = portOf(server.address())
  return {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    taken,
    answer(status) {
      answer = status
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Runs on by itself, and can be pushed. */
function movableClock(): Clock & { advance(ms: number): void } {
  let pushedMs = 0
  return {
    // oxlint-disable-next-line sealpost/time-and-chance -- what a test measures here is real
    now: () => instant(Date.now() + pushedMs),
    advance(ms) {
      pushedMs += ms
    },
  }
}

async function shortly(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, SHORT_MS)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
  signal.throwIfAborted()
}
