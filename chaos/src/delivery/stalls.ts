/** Detects pauses of the machine and jumps of its clock: leases depend on the clock, so either can invalidate a run. */
export interface StallWatch {
  longestStallMs(): number
  /** The largest difference between the clock and the time that passed. */
  largestStepMs(): number
  end(): void
}

const SAMPLE_EVERY_MS = 100

export function watchStalls(): StallWatch {
  let lastMs = performance.now()
  let lastOffsetMs = Date.now() - lastMs
  let [stallMs, stepMs] = [0, 0]
  const sampling = setInterval(() => {
    const nowMs = performance.now()
    const offsetMs = Date.now() - nowMs
    stallMs = Math.max(stallMs, nowMs - lastMs - SAMPLE_EVERY_MS)
    stepMs = Math.max(stepMs, Math.abs(offsetMs - lastOffsetMs))
    lastMs = nowMs
    lastOffsetMs = offsetMs
  }, SAMPLE_EVERY_MS)
  return {
    longestStallMs: () => Math.round(stallMs),
    largestStepMs: () => Math.round(stepMs),
    end: () => clearInterval(sampling),
  }
}
