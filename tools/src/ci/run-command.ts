import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, createReadStream, openSync, readFileSync } from 'node:fs'

export interface CommandResult {
  readonly code: number
  readonly seconds: number
  readonly hasTimedOut: boolean
}

export interface CommandOptions {
  readonly root: string
  /** Gets all that the command prints. */
  readonly log: string
  readonly limitSeconds: number
  /** Also print it as it comes. */
  readonly isShown: boolean
}

const FAILED = 1
const KILL_AFTER_MS = 10_000

/**
 * Runs a command of plain words in a process group of its own, which a time limit ends. The output goes to a file, not to
 * a pipe: a pipe would also wait for daemons that outlive the command.
 */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  const began = performance.now()
  const [program = '', ...args] = command.split(' ')
  const log = openSync(options.log, 'w')
  const child = spawn(program, args, { cwd: options.root, stdio: ['ignore', log, log], detached: true })
  closeSync(log)
  const stopShowing = options.isShown ? showGrowing(options.log) : null
  const limit = limitTime(child.pid, options.limitSeconds)
  const code = await exitCode(child)
  limit.clear()
  await stopShowing?.()
  return { code, seconds: Math.round((performance.now() - began) / 1000), hasTimedOut: limit.hasPassed() }
}

/** The last line that is not empty. */
export function lastLine(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? ''
}

export function lastLines(log: string, count: number): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
}

async function exitCode(child: ReturnType<typeof spawn>): Promise<number> {
  try {
    await once(child, 'exit')
    return child.exitCode ?? FAILED
  } catch (error) {
    console.error(`the command could not be started: ${String(error)}`)
    return FAILED
  }
}

function limitTime(pid: number | undefined, seconds: number) {
  let hasPassed = false
  const timers = [
    setTimeout(() => {
      hasPassed = true
      endGroup(pid, 'SIGTERM')
    }, seconds * 1000),
    setTimeout(() => endGroup(pid, 'SIGKILL'), seconds * 1000 + KILL_AFTER_MS),
  ]
  return {
    hasPassed: () => hasPassed,
    clear: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}

const SHOW_EVERY_MS = 500

/** Copies what is appended to a file to the standard output, until the answered function is called. */
function showGrowing(file: string): () => Promise<void> {
  let shown = 0
  const show = async (): Promise<void> => {
    const grown: AsyncIterable<Buffer> = createReadStream(file, { start: shown })
    for await (const chunk of grown) {
      shown += chunk.length
      process.stdout.write(chunk)
    }
  }
  let showing = Promise.resolve()
  const timer = setInterval(() => {
    showing = showing.then(show)
  }, SHOW_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await showing.then(show)
  }
}
