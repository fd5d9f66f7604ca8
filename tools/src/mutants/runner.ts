import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProcessStat } from '@sealpost/testkit/process-stat'
import Type from 'typebox'
import Value from 'typebox/value'
import type { Outcome } from './report.ts'

export interface Trial {
  readonly file: string
  /** `null`: the file as it is. */
  readonly text: string | null
  readonly tests: readonly string[]
  /** CPU time: a busy machine must not look like a mutant that hangs. */
  readonly limitMs: number
}

export interface Tried {
  readonly outcome: Outcome
  readonly cpuMs: number
}

export interface Runner {
  run(trial: Trial): Promise<Tried>
  stop(): void
}

const Answer = Type.Object({ isKilled: Type.Boolean(), cpuMs: Type.Number() })

/** Tries mutants in its own copy of the tree, one at a time, in a process that is replaced when a mutant hangs. */
export function startRunner(tree: string): Runner {
  let child: ChildProcess | null = null
  return { run, stop }

  async function run({ file, text, tests, limitMs }: Trial): Promise<Tried> {
    const path = join(tree, file)
    const original = readFileSync(path, 'utf8')
    if (text !== null) writeFileSync(path, text)
    const tried = await ask({ path, tests: tests.map((test) => join(tree, test)) }, limitMs)
    if (text !== null) writeFileSync(path, original)
    return tried
  }

  async function ask(message: { path: string; tests: string[] }, limitMs: number): Promise<Tried> {
    child ??= startProcess(tree)
    child.send(message)
    const answered = new AbortController()
    const tooLong = cpuLimit(child, limitMs, answered.signal)
    const signal = AbortSignal.any([tooLong, answered.signal])
    try {
      const ended = once(child, 'exit', { signal }).then(() => [null])
      const [answer]: unknown[] = await Promise.race([once(child, 'message', { signal }), ended])
      if (answer !== null) {
        const { isKilled, cpuMs } = Value.Parse(Answer, answer)
        return { outcome: isKilled ? 'killed' : 'survived', cpuMs }
      }
      child = null
      return { outcome: 'killed', cpuMs: 0 }
    } catch (error) {
      if (!tooLong.aborted) throw error
      stop()
      return { outcome: 'timeout', cpuMs: limitMs }
    } finally {
      answered.abort()
    }
  }

  function stop(): void {
    child?.kill('SIGKILL')
    child = null
  }
}

/** Of time to CPU time: a mutant that waits for ever uses none. */
const PATIENCE = 10
const CHECK_EVERY_MS = 500

function cpuLimit({ pid = 0 }: ChildProcess, limitMs: number, until: AbortSignal): AbortSignal {
  const tooLong = new AbortController()
  const before = readProcessStat(pid)?.usedMs ?? 0
  const start = performance.now()
  const timer = setInterval(() => {
    const used = (readProcessStat(pid)?.usedMs ?? 0) - before
    if (used > limitMs || performance.now() - start > limitMs * PATIENCE) tooLong.abort()
  }, CHECK_EVERY_MS)
  until.addEventListener('abort', () => clearInterval(timer), { once: true })
  return tooLong.signal
}

function startProcess(tree: string): ChildProcess {
  return fork(join(import.meta.dirname, 'trial-process.ts'), {
    cwd: tree,
    env: { PROPERTY_RUNS: '50', ...process.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
