#!/usr/bin/env node
import { homedir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@sealpost/process'
import { run } from './run.ts'

const interruption = new AbortController()

// `sealpost … | head` has seen enough: nothing is wrong, and nobody is left to print for.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const code = await run(
  {
    // oxlint-disable-next-line node/no-process-env -- the one place of this program where its environment is taken
    environment: process.env,
    folder: process.cwd(),
    homeFolder: homedir(),
    print: (line) => void process.stdout.write(`${line}\n`),
    tell: (line) => void process.stderr.write(`${line}\n`),
    clock: systemClock,
    wait: async (ms, signal) => pause(ms, undefined, { signal }),
    untilInterrupted() {
      // Once each: whoever presses it again need not wait for us.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
      return interruption.signal
    },
  },
  process.argv.slice(2),
)
// A call that is still under way would hold the process.
if (interruption.signal.aborted) process.exit(code)
process.exitCode = code
