import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { announceSlowCall } from '@sealpost/kernel'
import type { Layer, Sandbox } from '@sealpost/process/sandbox'
import { type Answer, type Job, packFrame, readAnswer, unpackFrame } from './frames.ts'
import { findChildSandbox, startChild } from './start-child.ts'

export interface PoolOptions {
  /** Jobs that run at the same time; 2 by default. */
  readonly maxRunning?: number
  /** Jobs that wait for their turn; 16 by default. */
  readonly maxWaiting?: number
  /** 60 s by default: a machine that is busy with other work still seals; CPU has a limit of its own. */
  readonly timeLimitMs?: number
  /** Called before the first job: what separates a child from settings and network; empty if nothing does. */
  readonly onSandbox?: (layers: readonly Layer[]) => void
}

/**
 * `crashed`: it ended without an answer, which is what a limit of memory or CPU looks like. `killed`: the kernel or an
 * operator ended it twice, which says nothing about the file.
 */
export type PoolOutcome =
  | { readonly type: 'answered'; readonly answer: Answer; readonly bytes: Buffer }
  | { readonly type: 'late' | 'crashed' | 'killed' | 'busy' }

export interface Pool {
  run(job: Job, file: Uint8Array): Promise<PoolOutcome>
  close(): Promise<void>
}

/** The page and its fonts; far less in practice. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/**
 * [Note: one child per document] A child reads untrusted files, and the files of all companies. So each gets one
 * document and ends: nothing of a document can reach the next, and a crash harms one job. The start, half of the cost,
 * happens before: one child waits with its code loaded, and another is started when it is taken.
 */
export function openPool({ maxRunning = 2, maxWaiting = 16, timeLimitMs = 60_000, onSandbox }: PoolOptions = {}): Pool {
  let sandbox: Promise<Sandbox> | null = null
  let spare: ChildProcess | null = null
  let isClosed = false
  let running = 0
  const waiting: (() => void)[] = []
  const children = new Set<ChildProcess>()

  function start(inside: Sandbox): ChildProcess {
    const child = startChild(inside)
    children.add(child)
    child.once('close', () => {
      children.delete(child)
      if (spare === child) spare = null
    })
    // A child that cannot be started closes without an answer.
    child.once('error', () => {})
    return child
  }

  async function take(): Promise<ChildProcess> {
    const inside = await (sandbox ??= findChildSandbox().then((found) => {
      onSandbox?.(found.layers)
      return found
    }))
    const child = spare !== null && isRunning(spare) ? spare : start(inside)
    spare = isClosed ? null : start(inside)
    return child
  }

  async function turn(): Promise<boolean> {
    if (isClosed) throw new Error('the pool of PDF processes is closed')
    if (running < maxRunning) running += 1
    else if (waiting.length >= maxWaiting) return false
    else {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      await promise
    }
    return true
  }

  function endTurn(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(job, file) {
      announceSlowCall('reading a PDF')
      if (!(await turn())) return { type: 'busy' }
      try {
        return await runTwiceIfKilled(take, packFrame(job, file), timeLimitMs)
      } finally {
        endTurn()
      }
    },
    async close() {
      isClosed = true
      spare?.kill('SIGKILL')
      await Promise.all([...children].map((child) => once(child, 'close')))
    },
  }
}

async function runTwiceIfKilled(
  take: () => Promise<ChildProcess>,
  frame: Buffer,
  timeLimitMs: number,
): Promise<PoolOutcome> {
  const outcome = await runIn(await take(), frame, timeLimitMs)
  return outcome.type === 'killed' ? runIn(await take(), frame, timeLimitMs) : outcome
}

async function runIn(child: ChildProcess, frame: Buffer, timeLimitMs: number): Promise<PoolOutcome> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, timeLimitMs)
  const chunks = collect(child)
  const closed = isRunning(child) ? once(child, 'close') : Promise.resolve()
  child.stdin?.end(frame)
  await closed
  clearTimeout(timer)
  const unpacked = unpackSafely(Buffer.concat(chunks))
  const answer = unpacked === null ? null : readAnswer(unpacked.head)
  if (unpacked === null || answer === null) return { type: isLate ? 'late' : isKilled(child) ? 'killed' : 'crashed' }
  return { type: 'answered', answer, bytes: unpacked.bytes }
}

/** Not by this process. */
function isKilled({ killed, signalCode }: ChildProcess): boolean {
  return signalCode === 'SIGKILL' && !killed
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

function unpackSafely(data: Buffer): ReturnType<typeof unpackFrame> {
  try {
    return unpackFrame(data)
  } catch {
    // Not JSON: the child was stopped while it wrote, or is not ours any more.
    return null
  }
}

function collect(child: ChildProcess): readonly Buffer[] {
  const chunks: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  return chunks
}
