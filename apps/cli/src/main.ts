#!/usr/bin/env node
import { homedir } from 'node:os'
import { run } from './run.ts'

process.exitCode = await run(
  {
    // oxlint-disable-next-line node/no-process-env -- the one place of this program where its environment is taken
    environment: process.env,
    folder: process.cwd(),
    homeFolder: homedir(),
    print: (line) => void process.stdout.write(`${line}\n`),
    tell: (line) => void process.stderr.write(`${line}\n`),
  },
  process.argv.slice(2),
)
