import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '../compile-cache.ts'
import { waitUntil } from '../engines/index.ts'
import { isPortFree } from '../engines/ports.ts'
import { tiedToUs } from '../engines/processes.ts'
import { bundledPrograms, programFlags } from './bundles.ts'
import { baseUrl } from './environment.ts'

/** A real process of one of our apps, as an operator would run it. */
export interface AppProcess {
  readonly name: string
  readonly url: string
  readonly internalUrl: string
  pid(): number
  /** The settings that it has, or will be started with. */
  environment(): Readonly<Record<string, string>>
  /** Starts it and waits until it says that it is ready; changed settings hold from now on. */
  start(changed?: Readonly<Record<string, string>>): Promise<void>
  /** SIGTERM, and waits: the graceful end. */
  stop(): Promise<void>
  /** SIGKILL, and waits. */
  kill(): Promise<void>
  /** What it printed last; for the report when something fails. */
  tail(): string
}

export interface AppProcessOptions {
  readonly name: string
  readonly app: 'front-door' | 'region' | 'forwarder'
  readonly environment: Readonly<Record<string, string>>
  /** Another checkout to run it from: the code of another release. */
  readonly root?: string
  /** Restart when a source file changes. */
  readonly watch?: boolean
  readonly onLine?: (line: string) => void
}

/** Of this checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const READY_DEADLINE_MS = 30_000
const TAIL_LINES = 40

export function appProcess(options: AppProcessOptions): AppProcess {
  const { name } = options
  let { environment } = options
  const url = baseUrl({ port: Number(environment['LISTEN_PORT']), internalPort: 0 })
  const internalUrl = baseUrl({ port: Number(environment['INTERNAL_PORT']), internalPort: 0 })
  const lines: string[] = []
  let child: ChildProcess | null = null

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const ending = child
    child = null
    if (ending === null || hasEnded(ending)) return
    const exited = once(ending, 'exit')
    if (signal === 'SIGKILL') killGroup(ending)
    else ending.kill(signal)
    await exited
  }

  return {
    name,
    url,
    internalUrl,
    pid: () => child?.pid ?? -1,
    environment: () => environment,
    async start(changed = {}) {
      environment = { ...environment, ...changed }
      for (const address of [url, internalUrl]) await refuseTaken(name, address)
      const program = await programOf(options)
      child = launch({ ...options, environment }, program, (line) => {
        lines.push(line)
        if (lines.length > TAIL_LINES) lines.shift()
        options.onLine?.(line)
      })
      const started = child
      await waitUntil(`${name} is ready`, READY_DEADLINE_MS, () => {
        if (hasEnded(started)) throw new Error(`${name} ended while starting:\n${lines.join('\n')}`)
        return isReady(internalUrl)
      }).catch((error: unknown) => {
        throw new Error(`${name} did not become ready:\n${lines.join('\n')}`, { cause: error })
      })
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    tail: () => lines.join('\n'),
  }
}

/** Another process that listens there would answer instead of the app, which could not listen itself. */
async function refuseTaken(name: string, address: string): Promise<void> {
  const { port } = new URL(address)
  if (await isPortFree(Number(port))) return
  throw new Error(
    `${name} cannot listen at ${address}: something else does, maybe this command run before; end that first`,
  )
}

/** Bundled, as an operator runs it; the source where it may change, and of another release. */
async function programOf({ app, root, watch }: AppProcessOptions): Promise<string> {
  if (root !== undefined || watch === true) return `apps/${app}/src/main.ts`
  return join(await bundledPrograms(), app, 'main.js')
}

/**
 * `node --watch` runs the app as a child of its own, which outlives it when it is killed. Each app
 * so leads a process group that is killed as one; a plain end goes to the watcher, which passes it on.
 */
function launch(options: AppProcessOptions, program: string, onLine: (line: string) => void): ChildProcess {
  const isWatched = options.watch === true
  const flags = isWatched ? ['--watch', '--watch-preserve-output'] : programFlags(options.app)
  const [file, args] = tiedToUs({ file: process.execPath, args: [...flags, program] }, isWatched ? 'TERM' : 'KILL')
  const child = spawn(file, args, {
    cwd: options.root ?? ROOT,
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const killAtExit = () => killGroup(child)
  process.once('exit', killAtExit)
  child.once('exit', () => process.off('exit', killAtExit))
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const whole = (rest + chunk).split('\n')
      rest = whole.pop() ?? ''
      for (const line of whole) onLine(line)
    })
  }
  return child
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it ended by itself in between.
  }
}

async function isReady(internalUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${internalUrl}/internal/ready`)).ok
  } catch {
    return false
  }
}
