const ROUNDS = 7
const REPEATS = 8

/**
 * How many times more processor time `run` takes for a ten times larger input: near 10 is linear, near 100 quadratic.
 * The best of several rounds counts, so that a busy machine does not decide.
 */
export function growthForTenfold(run: (size: number) => void, size = 5000): number {
  run(size)
  const small = bestTime(() => run(size))
  const large = bestTime(() => run(size * 10))
  return large / small
}

function bestTime(run: () => void): number {
  let best = Infinity
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage()
    for (let repeat = 0; repeat < REPEATS; repeat += 1) run()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, user + system)
  }
  // Below a tenth of a millisecond the clock is too coarse to say anything.
  return Math.max(best, 100)
}
