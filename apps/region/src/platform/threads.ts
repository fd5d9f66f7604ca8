import { Worker } from 'node:worker_threads'
import { accept, decline, openTurns, type Result } from '@sealpost/kernel'
import type { Log } from '@sealpost/telemetry'

/** Work whose cost a definition or its values decide: an event loop that does it answers no caller meanwhile. */
export interface ThreadOptions {
  /** The program of the thread: one message in, one message out. */
  readonly main: URL
  readonly log: Log
  readonly heapMb: number
  /** CPU time of one task: how long that takes depends on the machine. */
  readonly cpuMs: number
  readonly mostWaiting?: number
}

/** `busy`: too many wait, or the thread could not be started; `expensive`: it has used its CPU time or its memory. */
export type ThreadRefusal = 'busy' | 'expensive'

export type Threads<Task, Answer> = (owner: string, task: Task) => Promise<Result<Answer, ThreadRefusal>>

/** One task runs, and one of another owner beside it: [Note: shared places]. */
const PLACES = 2
const MOST_WAITING = 40
const LOOK_EVERY_MS = 250

/** A thread is started for a task and ends with its answer: its heap goes with it. Tasks and answers are copied as data. */
export function openThreads<Task, Answer>(options: ThreadOptions): Threads<Task, Answer> {
  const { mostWaiting = MOST_WAITING } = options
  const turns = openTurns({ places: PLACES, mostWaiting })
  return async (owner, task) => {
    const endTurn = await turns.enter(owner)
    if (endTurn === null) return decline('busy')
    try {
      return await runThread<Task, Answer>(options, task)
    } finally {
      endTurn()
    }
  }
}

async function runThread<Task, Answer>(
  { main, log, heapMb, cpuMs }: ThreadOptions,
  task: Task,
): Promise<Result<Answer, ThreadRefusal>> {
  const worker = new Worker(main, { env: {}, resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  const late = watchCpu(worker, cpuMs)
  try {
    return await Promise.race([answerOf<Task, Answer>(worker, task), late.promise])
  } catch (error) {
    log.warn({ err: error }, 'a thread failed')
    return decline(isOutOfMemory(error) ? 'expensive' : 'busy')
  } finally {
    late.end()
    void worker.terminate()
  }
}

function answerOf<Task, Answer>(worker: Worker, task: Task): Promise<Result<Answer, ThreadRefusal>> {
  const { promise, resolve, reject } = Promise.withResolvers<Result<Answer, ThreadRefusal>>()
  worker.once('message', (answer: Answer) => resolve(accept(answer)))
  worker.once('error', reject).once('exit', () => reject(new Error('the thread ended')))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(task)
  return promise
}

/** Resolves when the thread has used so much CPU time. */
function watchCpu(worker: Worker, cpuMs: number) {
  const { promise, resolve } = Promise.withResolvers<Result<never, ThreadRefusal>>()
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage()
    if (user + system > cpuMs * 1000) resolve(decline('expensive'))
  }
  // A thread that has ended tells no times.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS)
  return { promise, end: () => clearInterval(timer) }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
