import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { COMPILE_CACHE, ROOT } from '@sealpost/testkit'
import { onTestFinished } from 'vitest'

/** A program of `examples/` as a process of its own; killed at the end of the test. */
export interface ExampleProcess {
  readonly child: ChildProcess
  /** The output so far, errors included. */
  printed(): string
  /** Sends a signal and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export function runExample(program: string, variables: Readonly<Record<string, string>>): ExampleProcess {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILE_CACHE, ...variables }
  const child = spawn(process.execPath, [join(ROOT, 'examples', program)], { env })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()))
  const ended = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  return {
    child,
    printed: () => printed,
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}
