#!/usr/bin/env node
import { homedir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@sealpost/process'
import { openKeyboard } from './keyboard.ts'
import { openBrowser } from './login/open-browser.ts'
import { run } from './run.ts'

const interruption = new AbortController()

// `sealpost … | head` closes the pipe early: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const code = await run(
  {
    // oxlint-disable-next-line node/no-process-env -- the only place of this program that reads the environment
    environment: process.env,
    folder: process.cwd(),
    homeFolder: homedir(),
    print: (line) => void process.stdout.write(`${line}\n`),
    log: (line) => void process.stderr.write(`${line}\n`),
    clock: systemClock,
    wait: async (ms, signal) => pause(ms, undefined, { signal }),
    untilInterrupted() {
      // Once each, so that a second Ctrl-C kills the process at once.
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
      return interruption.signal
    },
    isInteractive: process.stdin.isTTY && process.stderr.isTTY,
    ask: openKeyboard(process.stdin, process.stderr),
    openBrowser,
  },
  process.argv.slice(2),
)
// A pending call would keep the process alive.
if (interruption.signal.aborted) process.exit(code)
process.exitCode = code
