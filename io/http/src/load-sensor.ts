import { performance } from 'node:perf_hooks'

/** Whether a process can take more work. */
export interface LoadSensor {
  nowMs(): number
  isAtLimit(nowMs: number): boolean
}

const SAMPLED_EVERY_MS = 20
/** Of the time since the last sample. */
const BUSY_SHARE = 0.9

/**
 * The event loop is measured only when a call arrives, so that an idle process has no timer for it. `isCrowded` asks an
 * engine that every call needs.
 */
export function openLoadSensor(isCrowded: () => boolean): LoadSensor {
  let last = { atMs: performance.now(), loop: performance.eventLoopUtilization() }
  let isBusy = false
  return {
    nowMs: () => performance.now(),
    isAtLimit(nowMs) {
      if (nowMs - last.atMs >= SAMPLED_EVERY_MS) {
        const loop = performance.eventLoopUtilization()
        isBusy = performance.eventLoopUtilization(loop, last.loop).utilization > BUSY_SHARE
        last = { atMs: nowMs, loop }
      }
      return isBusy || isCrowded()
    },
  }
}
