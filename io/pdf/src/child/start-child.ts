import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findSandbox, flagsReading, type Sandbox } from '@sealpost/process/sandbox'

const HERE = fileURLToPath(import.meta.url)
const EXTENSION = extname(HERE)
/** Beside this file, as source or bundled. */
const MAIN = join(dirname(HERE), `pdf-main${EXTENSION}`)
/** What a child may read: the sources or the bundle, and the place of the packages with fonts. */
const CODE = [
  EXTENSION === '.ts' ? fileURLToPath(new URL('../../../..', import.meta.url)) : dirname(HERE),
  createRequire(HERE).resolve('harfbuzzjs').split('/node_modules/')[0] ?? '',
]

/**
 * Of one child. The heap of JavaScript does not count buffers, so that all memory that a process writes to is limited
 * as well; a file of 25 MB with 128 MB of decoded streams needs about 500 MB.
 */
const HEAP_MB = 512
const DATA_KB = 1_400_000
/** Only to find out whether it starts. */
const START_CPU_SECONDS = 30

let found: Promise<Sandbox> | null = null

/** The strongest sandbox of this machine in which a child starts; looked for once, because each look is a start. */
export function findChildSandbox(): Promise<Sandbox> {
  found ??= findSandbox('/bin/sh', commandArgs(START_CPU_SECONDS))
  return found
}

/** See [Note: a sandbox reads no secret]. A child gets no settings, no network and no file but the code. */
export function startChild(sandbox: Sandbox, cpuSeconds: number): ChildProcess {
  const child = sandbox.start('/bin/sh', commandArgs(cpuSeconds), {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  // It may end before it has read everything.
  child.stdin?.on('error', () => {})
  return child
}

/**
 * Writing, processes, threads and addons stay forbidden. A child draws one page: to optimize WebAssembly for it costs
 * twice what it saves.
 */
function commandArgs(cpuSeconds: number): readonly string[] {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--liftoff-only', ...flagsReading(CODE)]
  return ['-c', limitsOf(cpuSeconds), process.execPath, ...flags, MAIN]
}

/** SIGXCPU comes before SIGKILL, so that only another program ends a child by SIGKILL. */
function limitsOf(cpuSeconds: number): string {
  const cpu = `ulimit -S -t ${cpuSeconds} && ulimit -H -t ${cpuSeconds + 1}`
  return `ulimit -d ${DATA_KB} && ${cpu} && ulimit -c 0 && exec "$0" "$@"`
}
