/** Set by the first process that measures; its workers and child processes use the same factor. */
const VARIABLE = 'SEALPOST_TEST_SLOWNESS'
/** Wall time of the calibration loop on the reference machine: two quiet cores, where all limits were chosen. */
const REFERENCE_MS = 45
/** A machine that is quiet at the start may lose its cores to others later; only a failing test waits that long. */
const MIN_FACTOR = 10
const MAX_FACTOR = 20

/**
 * How many times slower this machine is than the reference, from 10 to 20. Time limits of tests are multiplied by it, so
 * that a busy machine does not fail them. The wall time of a fixed amount of work is measured: other processes that take
 * the CPU make it longer.
 */
function measureSlowness(): number {
  const samples = Array.from({ length: 3 }, calibrate).toSorted((one, other) => one - other)
  const median = samples[1] ?? REFERENCE_MS
  return Math.min(MAX_FACTOR, MIN_FACTOR * Math.max(1, median / REFERENCE_MS))
}

function calibrate(): number {
  const started = performance.now()
  let state = 1
  for (let step = 0; step < 20_000_000; step += 1) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  // The result is used, so that the loop cannot be optimized away.
  return performance.now() - started + (state === 0 ? 1 : 0)
}

/** The factor of this run: measured once, by `vitest.config.ts`. */
export function slowness(): number {
  const known = Number(process.env[VARIABLE])
  if (known >= 1) return known
  const measured = measureSlowness()
  process.env[VARIABLE] = measured.toFixed(2)
  return measured
}

/** A time limit of a test, for this machine. */
export function scaled(ms: number): number {
  return Math.ceil(ms * slowness())
}
