/** Notices when the machine itself stood still or its clock jumped: leases go by the clock, and a run may be void by that. */
export interface StallWatch {
  longestStallMs(): number
  /** How far the clock moved apart from the time that passed. */
  largestStepMs(): number
  end(): void
}

const LOOK_EVERY_MS = 100

export function watchStalls(): StallWatch {
  let lastMs = performance.now()
  let lastOffsetMs = Date.now() - lastMs
  let [stallMs, stepMs] = [0, 0]
  const looking = setInterval(() => {
    const nowMs = performance.now()
    const offsetMs = Date.now() - nowMs
    stallMs = Math.max(stallMs, nowMs - lastMs - LOOK_EVERY_MS)
    stepMs = Math.max(stepMs, Math.abs(offsetMs - lastOffsetMs))
    lastMs = nowMs
    lastOffsetMs = offsetMs
  }, LOOK_EVERY_MS)
  return {
    longestStallMs: () => Math.round(stallMs),
    largestStepMs: () => Math.round(stepMs),
    end: () => clearInterval(looking),
  }
}
