export interface Rounds {
  /** No round begins any more; waits for the one that is under way. */
  close(): Promise<void>
}

/**
 * Does something again and again, one round at a time: a round that takes longer than the interval makes the next one
 * wait instead of running beside it, or a slow database would get more work the slower it is.
 */
export function startRounds(round: () => Promise<void>, everyMs: number): Rounds {
  let underWay: Promise<void> | null = null
  const timer = setInterval(() => {
    underWay ??= round().finally(() => {
      underWay = null
    })
  }, everyMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await underWay
    },
  }
}
