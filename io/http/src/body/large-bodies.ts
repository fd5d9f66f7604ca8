import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { once } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import type { Telemetry } from '@sealpost/telemetry'
import type { ThreadAnswer, ThreadTask } from './thread-messages.ts'

/** Reads large bodies, one at a time. */
export interface LargeBodies {
  /** Waits for a turn, then reads the body. `bytes` can no longer be used. */
  read(bytes: Buffer, wantsSha256: boolean): Promise<LargeBody>
  close(): void
}

export interface LargeBody extends ThreadAnswer {
  /** The work for this body has ended; the next one may be read. */
  readonly done: () => void
}

/** Parsing this many bytes takes some ten milliseconds at most, see [Note: cost of a body]. */
export const LARGE_BYTES = 1_048_576
const LONGEST_WAIT_MS = 30_000
const RETRY_AFTER_SECONDS = 5
/** Beside this file, as source or bundled. */
const MAIN = new URL(`thread-main${extname(import.meta.url)}`, import.meta.url)
/** Four copies of the largest body, if a letter of it needs two bytes. */
const THREAD_HEAP_MB = 640

/**
 * [Note: large bodies] To check, decode and parse 64 MiB takes half a second, in which the event loop would answer no
 * caller, so a thread does it; a text comes back as one copy. A parsed body is held as text by its operation, and again as
 * bytes for the object store. So that the memory of a process stays bounded, one large body is parsed and worked on at a
 * time; the others wait as bytes, within the budget of [Note: calls in flight]. The thread ends with its answer, and its
 * memory with it: a heap of that size would be collected much later.
 */
export function openLargeBodies(telemetry: Telemetry): LargeBodies {
  const turns = openTurns()
  const thread = openThread()
  telemetry.gauge('http_large_bodies_waiting', 'Large bodies that wait to be parsed', () => turns.waiting())
  return {
    async read(bytes, wantsSha256) {
      await turns.take()
      try {
        const answer = await thread.run({ bytes, wantsSha256 })
        return { ...answer, done: once(() => turns.give()) }
      } catch (error) {
        turns.give()
        telemetry.log.warn({ err: error }, 'the thread that parses large bodies failed')
        throw busy()
      }
    },
    close: () => thread.end(),
  }
}

interface Turns {
  /** Resolves when it is this caller's turn; rejects after half a minute. */
  take(): Promise<void>
  give(): void
  waiting(): number
}

function openTurns(): Turns {
  const queue: (() => void)[] = []
  let isTaken = false
  return {
    take() {
      if (!isTaken) {
        isTaken = true
        return Promise.resolve()
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(admit), 1)
        reject(busy())
      }, LONGEST_WAIT_MS)
      const admit = (): void => {
        clearTimeout(timer)
        resolve()
      }
      queue.push(admit)
      return promise
    },
    give() {
      const next = queue.shift()
      if (next === undefined) isTaken = false
      else next()
    },
    waiting: () => queue.length,
  }
}

interface Thread {
  run(task: ThreadTask): Promise<ThreadAnswer>
  end(): void
}

/** A fresh one for every task: its heap, twice the size of the body and more, is gone when it ends. */
function openThread(): Thread {
  let worker: Worker | null = null
  const end = (): void => {
    void worker?.terminate()
    worker = null
  }
  return {
    async run(task) {
      worker = startWorker()
      try {
        return await askWorker(worker, task)
      } finally {
        end()
      }
    },
    end,
  }
}

function startWorker(): Worker {
  const worker = new Worker(MAIN, { env: {}, resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB } })
  worker.unref()
  return worker
}

function askWorker(worker: Worker, task: ThreadTask): Promise<ThreadAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer>()
  const onExit = (): void => reject(new Error('the thread ended'))
  worker.once('message', resolve).once('error', reject).once('exit', onExit)
  const { buffer } = task.bytes
  worker.postMessage(task, buffer instanceof ArrayBuffer ? [buffer] : [])
  return promise.finally(() => worker.off('message', resolve).off('error', reject).off('exit', onExit))
}

function busy() {
  return refuse('platform.busy', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
