import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE, waitUntil } from '@sealpost/testkit'

export interface ConsumerPlan {
  readonly name: string
  /** The program and its arguments. */
  readonly args: readonly string[]
  /** Read at every start: credentials change. */
  readonly environment: () => Readonly<Record<string, string>>
}

/** A process that is started again whenever it ends, as a supervisor does. */
export interface Consumer {
  readonly name: string
  readonly counts: { starts: number; kills: number; exits: number }
  /** How many lines it printed that match. */
  printed(pattern: RegExp): number
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** From now on, its clock differs by this much from that of the machine. */
  setClock(offsetMs: number): void
  /** SIGTERM, and no further start. */
  end(): Promise<void>
}

const CLOCK = fileURLToPath(new URL('./shifted-clock.ts', import.meta.url))
const RESTART_MS = 150
const START_MS = 30_000
const END_MS = 20_000

export function keepRunning({ name, args, environment }: ConsumerPlan): Consumer {
  const counts = { starts: 0, kills: 0, exits: 0 }
  const lines: string[] = []
  const state: { child: ChildProcess | null; offsetMs: number; isEnding: boolean } = {
    child: null,
    offsetMs: 0,
    isEnding: false,
  }

  function start(): ChildProcess {
    counts.starts += 1
    const child = launch(args, { CLOCK_OFFSET_MS: String(state.offsetMs), ...environment() }, lines)
    state.child = child
    return child
  }

  async function supervise(): Promise<void> {
    while (!state.isEnding) {
      const child = start()
      await once(child, 'exit')
      state.child = null
      if (child.signalCode === null) counts.exits += 1
      await pause(RESTART_MS)
    }
  }

  const supervised = supervise()
  return {
    name,
    counts,
    printed: (pattern) => lines.filter((line) => pattern.test(line)).length,
    async kill() {
      await waitUntil(`${name} runs`, START_MS, () => state.child !== null)
      const { child } = state
      if (child?.kill('SIGKILL') !== true) return
      counts.kills += 1
      const { starts } = counts
      await waitUntil(`${name} is gone`, END_MS, () => state.child !== child || counts.starts > starts)
    },
    setClock(offsetMs) {
      state.offsetMs = offsetMs
      // A process that has just ended gets it at its next start.
      state.child?.send(offsetMs, () => {})
    },
    async end() {
      if (state.isEnding) return
      state.isEnding = true
      state.child?.kill('SIGTERM')
      await Promise.race([supervised, pause(END_MS, undefined, { ref: false })])
      state.child?.kill('SIGKILL')
      await supervised
    },
  }
}

/** Adds the lines of both streams to `lines`. */
function launch(args: readonly string[], environment: Readonly<Record<string, string>>, lines: string[]): ChildProcess {
  const child = spawn(process.execPath, ['--import', CLOCK, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const whole = (rest + chunk).split('\n')
      rest = whole.pop() ?? ''
      lines.push(...whole)
    })
  }
  return child
}
