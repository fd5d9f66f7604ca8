export interface Poll {
  /** Resolves when the last look has ended. */
  stop(): Promise<void>
}

const LONGEST_PAUSE_MS = 5_000

/** Looks again and again: at once when `look` answers true, else after a pause that grows while looking fails. */
export function startPoll(everyMs: number, look: () => Promise<boolean>, onError: (error: unknown) => void): Poll {
  let timer: NodeJS.Timeout | undefined
  let current = Promise.resolve()
  let isStopped = false
  let failures = 0

  async function turn(): Promise<void> {
    let isMore = false
    try {
      isMore = await look()
      failures = 0
    } catch (error) {
      failures += 1
      onError(error)
    }
    schedule(isMore ? 0 : Math.min(everyMs * 2 ** failures, Math.max(everyMs, LONGEST_PAUSE_MS)))
  }
  function schedule(afterMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      current = turn()
    }, afterMs)
  }

  schedule(0)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return current
    },
  }
}
