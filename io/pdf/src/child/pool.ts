import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { announceSlowCall, openTurns } from '@sealpost/kernel'
import type { Layer, Sandbox } from '@sealpost/process/sandbox'
import { type Answer, type Job, packFrame, readAnswer, unpackFrame } from './frames.ts'
import { findChildSandbox, startChild } from './start-child.ts'

export interface PoolOptions {
  /** Jobs that run at the same time; 3 by default, of which one owner has 2 at most. */
  readonly places?: number
  /** Jobs that wait for their turn; 24 by default, of which one owner has half at most. */
  readonly mostWaiting?: number
  /** CPU time of one job; 30 s by default. */
  readonly cpuSeconds?: number
  /** Ten minutes by default: a process that neither works nor answers gives its place back. */
  readonly stuckMs?: number
  /** Called before the first job: what separates a child from settings and network; empty if nothing does. */
  readonly onSandbox?: (layers: readonly Layer[]) => void
}

/**
 * `crashed`: it ended without an answer, which is what a limit of memory or CPU time looks like. `killed`: the kernel or an operator ended it twice; `stuck`: it got no CPU time for its work. Both say nothing about
 * the file, and neither does `busy`: too many wait.
 */
export type PoolOutcome =
  | { readonly type: 'answered'; readonly answer: Answer; readonly bytes: Buffer }
  | { readonly type: 'crashed' | Undecided }

/** Nothing is known of the file: the same call may succeed later. */
export type Undecided = 'killed' | 'stuck' | 'busy'

export interface Pool {
  /** `owner`: the tenant whose file it is. */
  run(owner: string, job: Job, file: Uint8Array): Promise<PoolOutcome>
  close(): Promise<void>
}

/** The page and its fonts; far less in practice. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/**
 * [Note: one child per document] A child reads untrusted files, and the files of all companies. So each gets one
 * document and ends: nothing of a document can reach the next, and a crash harms one job. The start, half of the cost,
 * happens before: one child waits with its code loaded, and another is started when it is taken.
 *
 * The files of one company never hold all places. A file may cost so much CPU time and no more; how long that takes
 * depends on the machine, so that time alone refuses no file.
 */
export function openPool({
  places = 3,
  mostWaiting = 24,
  cpuSeconds = 30,
  stuckMs = 600_000,
  onSandbox,
}: PoolOptions = {}): Pool {
  const turns = openTurns({ places, mostWaiting })
  let sandbox: Promise<Sandbox> | null = null
  let spare: ChildProcess | null = null
  let isClosed = false
  const children = new Set<ChildProcess>()

  function start(inside: Sandbox): ChildProcess {
    const child = startChild(inside, cpuSeconds)
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

  return {
    async run(owner, job, file) {
      announceSlowCall('reading a PDF')
      if (isClosed) throw new Error('the pool of PDF processes is closed')
      const endTurn = await turns.enter(owner)
      if (endTurn === null) return { type: 'busy' }
      try {
        return await runTwiceIfKilled(take, packFrame(job, file), stuckMs)
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
  stuckMs: number,
): Promise<PoolOutcome> {
  const outcome = await runIn(await take(), frame, stuckMs)
  return outcome.type === 'killed' ? runIn(await take(), frame, stuckMs) : outcome
}

async function runIn(child: ChildProcess, frame: Buffer, stuckMs: number): Promise<PoolOutcome> {
  let isStuck = false
  const timer = setTimeout(() => {
    isStuck = true
    child.kill('SIGKILL')
  }, stuckMs)
  const chunks = collect(child)
  const closed = isRunning(child) ? once(child, 'close') : Promise.resolve()
  child.stdin?.end(frame)
  await closed
  clearTimeout(timer)
  const unpacked = unpackSafely(Buffer.concat(chunks))
  const answer = unpacked === null ? null : readAnswer(unpacked.head)
  if (unpacked === null || answer === null) return { type: isStuck ? 'stuck' : isKilled(child) ? 'killed' : 'crashed' }
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
