import type { Log } from '@sealpost/telemetry'
import { createSignal } from './signal.ts'

export interface Loop {
  /** Runs the next round now. */
  wake(): void
  /** Resolves when the round under way has ended; no other begins. */
  stop(): Promise<void>
}

const AFTER_FAILURE_MS = 1000

/** Runs `round` again and again; it answers how long to sleep unless woken. A failed round is told and repeated. */
export function startLoop(log: Log, what: string, round: () => Promise<number>): Loop {
  const signal = createSignal()
  const state = { isStopping: false }
  const run = async (): Promise<void> => {
    while (!state.isStopping) {
      const sleepMs = await round().catch((error: unknown) => {
        log.warn({ error: String(error) }, `${what} failed; trying again`)
        return AFTER_FAILURE_MS
      })
      if (!state.isStopping) await signal.wait(sleepMs)
    }
  }
  const running = run()
  return {
    wake: () => signal.raise(),
    stop() {
      state.isStopping = true
      signal.raise()
      return running
    },
  }
}
