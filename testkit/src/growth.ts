const ROUNDS = 5
const TENFOLD = 10

const ATTEMPTS = 5
/** Nothing quadratic ever looks like this, so no further look is needed. */
const PLAINLY_LINEAR = 15

/**
 * How many times more processor time `run` takes for a ten times larger input: near 10 is linear, near 100 quadratic.
 * The best of several rounds and looks counts, so that neither a busy machine nor a garbage collection decides.
 */
export function growthForTenfold(run: (size: number) => void, size = 5000): number {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && best > PLAINLY_LINEAR; attempt += 1) {
    best = Math.min(best, measureGrowth(run, size))
  }
  return best
}

function measureGrowth(run: (size: number) => void, size: number): number {
  const small: number[] = []
  const large: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    small.push(processorTime(() => repeat(TENFOLD, () => run(size))))
    large.push(processorTime(() => run(size * TENFOLD)))
  }
  return (TENFOLD * Math.min(...large)) / Math.min(...small)
}

function repeat(times: number, run: () => void): void {
  for (let turn = 0; turn < times; turn += 1) run()
}

/** In microseconds; below 200 of them the clock is too coarse to say anything. */
function processorTime(run: () => void): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return Math.max(user + system, 200)
}
