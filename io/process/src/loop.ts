import type { Scheduler } from '@sealpost/kernel'
import type { Log } from '@sealpost/telemetry'
import { systemScheduler } from './system.ts'

export interface Loop {
  /** Begins the next iteration now, or right after the running one. Does not shorten the wait after a failure. */
  wake(): void
  /** Resolves when an iteration that began after this call has ended, also a failed one. Does not wait for the interval. */
  run(): Promise<void>
  /** Begins no other iteration and resolves when the running one has ended. */
  close(): Promise<void>
}

export interface LoopOptions {
  /** Begins the log line of a failure: `renewing the lease` gives `renewing the lease failed; …`. */
  readonly name: string
  readonly log: Log
  /** From the end of an iteration to the beginning of the next. */
  readonly everyMs: number
  /** Before the first iteration; 0 unless told. */
  readonly firstAfterMs?: number
  /** The wait after a failure doubles from `firstMs` to `longestMs`; 1 s and 5 s unless told. */
  readonly backoff?: { readonly firstMs: number; readonly longestMs: number }
  /** Answers how long to wait for the next iteration, if not `everyMs`. The signal is aborted by `close`. */
  work(closing: AbortSignal): Promise<number | void>
  readonly scheduler?: Scheduler
}

const BACKOFF = { firstMs: 1000, longestMs: 5000 }

/**
 * Runs `work` again and again, one iteration at a time: a slow database does not get more work the slower it is. A failed
 * iteration is logged and never the last one.
 */
export function startLoop(options: LoopOptions): Loop {
  const closing = new AbortController()
  const pause = createPause(options.scheduler ?? systemScheduler)
  let awaited: PromiseWithResolvers<void> | null = null
  let failures = 0

  async function iterate(): Promise<number> {
    const answered = awaited
    awaited = null
    try {
      const waitMs = await options.work(closing.signal)
      failures = 0
      return waitMs ?? options.everyMs
    } catch (error) {
      failures += 1
      const waitMs = backoffMs(options.backoff ?? BACKOFF, failures)
      options.log.warn({ err: error, failures }, `${options.name} failed; trying again in ${waitMs} ms`)
      return waitMs
    } finally {
      answered?.resolve()
    }
  }

  // The loop awaits its wake-ups, so that its work runs in its own async context and not in that of a caller who wakes it.
  async function loop(): Promise<void> {
    await pause.wait(options.firstAfterMs ?? 0, 'wake')
    while (!closing.signal.aborted) {
      const waitMs = await iterate()
      if (!closing.signal.aborted) await pause.wait(waitMs, failures === 0 ? 'wake' : 'insist')
    }
    awaited?.resolve()
  }

  const ended = loop()
  return {
    wake: () => pause.end('wake'),
    run() {
      if (closing.signal.aborted) return ended
      awaited ??= Promise.withResolvers()
      pause.end('insist')
      return awaited.promise
    },
    close() {
      closing.abort()
      pause.end('insist')
      return ended
    },
  }
}

/** Who may end a pause early; `insist` also ends one after a failure. */
type Urgency = 'wake' | 'insist'

interface Pause {
  /** Resolves after `ms`, or when it is ended by at least `least`; at once if that happened since the last pause. */
  wait(ms: number, least: Urgency): Promise<void>
  end(urgency: Urgency): void
}

function createPause(scheduler: Scheduler): Pause {
  let asked: Urgency | null = null
  let onEnd: (() => void) | null = null
  return {
    async wait(ms, least) {
      const isEnded = (): boolean => asked === 'insist' || asked === least
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = scheduler.after(isEnded() ? 0 : ms, resolve)
      onEnd = () => {
        if (isEnded()) resolve()
      }
      await promise
      cancel()
      onEnd = null
      asked = null
    },
    end(urgency) {
      if (asked !== 'insist') asked = urgency
      onEnd?.()
    },
  }
}

function backoffMs({ firstMs, longestMs }: { firstMs: number; longestMs: number }, failures: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30))
}
