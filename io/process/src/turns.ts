/** Lets so many callers work at the same time; the others wait in line. */
export interface Turns {
  /** Runs `work` in its turn; rejects with `late()` if the turn does not come within `waitMs`, and then does not run it. */
  take<T>(waitMs: number, work: () => Promise<T>, late: () => Error): Promise<T>
}

interface Waiting {
  readonly timer: NodeJS.Timeout
  begin(): void
}

/**
 * [Note: turns] Without a limit of the wait, a line that once is longer than its callers wait stays so: all work is then done
 * for callers who have given up, and none of it helps. With the limit, the work that is done is still wanted.
 */
export function createTurns(atOnce: number): Turns {
  const line = new Set<Waiting>()
  let working = 0
  const next = (): void => {
    working -= 1
    for (const first of line) {
      first.begin()
      return
    }
  }
  const turn = (waitMs: number, late: () => Error): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(waiting.timer)
        line.delete(waiting)
        working += 1
        resolve()
      }
      const giveUp = (): void => {
        line.delete(waiting)
        reject(late())
      }
      const waiting: Waiting = { timer: setTimeout(giveUp, waitMs), begin }
      if (working < atOnce) begin()
      else line.add(waiting)
    })
  return {
    async take(waitMs, work, late) {
      await turn(waitMs, late)
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}
