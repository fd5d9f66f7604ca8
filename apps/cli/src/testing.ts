import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, instant } from '@sealpost/kernel'
import { commands } from './commands/index.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

/** A terminal for tests, with a folder of its own. */
export interface TestTerminal extends Disposable {
  readonly folder: string
  readonly environment: Record<string, string>
  /** What the user types at the next questions; null: no user sits at the terminal. */
  typed: string[] | null
  /** What the browser does with the address; null: the machine has no browser. */
  browser: ((url: string) => void) | null
  /** Returns standard output, standard error and the exit code. */
  run(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly logged: string }>
  /** For a command that runs until Ctrl-C. */
  start(...words: readonly string[]): RunningCommand
}

export interface RunningCommand {
  /** Grows while the command runs. */
  readonly out: readonly string[]
  readonly logged: readonly string[]
  /** The requested waits; the test waits a moment instead. */
  readonly waits: readonly number[]
  /** Moves the clock, as if the machine had slept. */
  advance(ms: number): void
  /** Ctrl-C; resolves with the exit code. */
  interrupt(): Promise<number>
  readonly ended: Promise<number>
}

const SHORT_MS = 20

export function openTerminal(environment: Readonly<Record<string, string>> = {}): TestTerminal {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-cli-'))
  const own = { ...environment }
  const keyboard: Pick<TestTerminal, 'typed' | 'browser'> = { typed: null, browser: null }
  function start(...words: readonly string[]): RunningCommand {
    const [out, logged, waits]: [string[], string[], number[]] = [[], [], []]
    const questions = new Set<string>()
    const interruption = new AbortController()
    const clock = movableClock()
    const terminal: Terminal = {
      environment: own,
      folder,
      homeFolder: folder,
      print: (line) => void out.push(line),
      log: (line) => void logged.push(line),
      clock,
      async wait(ms, signal) {
        waits.push(ms)
        clock.advance(ms)
        await shortly(signal)
      },
      untilInterrupted: () => interruption.signal,
      isInteractive: keyboard.typed !== null,
      async ask(question) {
        logged.push(question)
        questions.add(question)
        return keyboard.typed?.shift() ?? ''
      },
      openBrowser(url) {
        keyboard.browser?.(url)
        return Promise.resolve(keyboard.browser !== null)
      },
    }
    const notes = (): readonly string[] => logged.filter((line) => !questions.has(line))
    const ended = requireJson(words, run(terminal, words), out, notes)
    return {
      out,
      logged,
      waits,
      advance: (ms) => clock.advance(ms),
      interrupt() {
        interruption.abort()
        return ended
      },
      ended,
    }
  }
  return Object.assign(keyboard, {
    folder,
    environment: own,
    start,
    async run(...words: readonly string[]) {
      const { out, logged, ended } = start(...words)
      const code = await ended
      return { code, out: out.join('\n'), logged: logged.join('\n') }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  })
}

/** What holds for every call with `--json`: documents only, and as many as the command declares. */
async function requireJson(
  words: readonly string[],
  running: Promise<number>,
  out: readonly string[],
  notes: () => readonly string[],
): Promise<number> {
  const code = await running
  if (!words.includes('--json')) return code
  const strange = [...out, ...notes()].find((line) => !isObject(line))
  if (strange !== undefined) throw new Error(`${words.join(' ')} printed a line that is no JSON object: ${strange}`)
  const command = commands
    .filter(({ words: own }) => own.every((word, at) => words[at] === word))
    .toSorted((a, b) => b.words.length - a.words.length)[0]
  if (command?.json !== 'document' || words.includes('--help')) return code
  if (out.length > 1 || (code === 0 && out.length === 0)) {
    throw new Error(`${words.join(' ')} printed ${out.length} documents instead of one`)
  }
  return code
}

function isObject(line: string): boolean {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null
  } catch {
    return false
  }
}

interface TerminalPlace {
  readonly frontDoor: { readonly url: string }
  onEnd(free: () => Promise<void>): void
}

/** A terminal with the credentials of an account client. Its folder is removed when the test file ends. */
export function openAccountTerminal(
  place: TerminalPlace,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): TestTerminal {
  const terminal = openTerminal({
    SEALPOST_FRONT_DOOR: place.frontDoor.url,
    SEALPOST_ACCOUNT_CLIENT_ID: clientId,
    SEALPOST_ACCOUNT_CLIENT_SECRET: clientSecret,
  })
  place.onEnd(() => Promise.resolve(terminal[Symbol.dispose]()))
  return terminal
}

/** A webhook receiver on this machine that records its requests. */
export interface TestReceiver {
  readonly url: string
  readonly port: number
  readonly taken: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** The answer to all later requests; `hang up` closes the connection without one. */
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

/** Runs with real time and can be moved. */
function movableClock(): Clock & { advance(ms: number): void } {
  let movedMs = 0
  return {
    // oxlint-disable-next-line sealpost/time-and-chance -- what a test measures here is real
    now: () => instant(Date.now() + movedMs),
    advance(ms) {
      movedMs += ms
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
