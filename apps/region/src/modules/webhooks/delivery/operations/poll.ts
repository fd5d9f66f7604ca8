export interface Poll {
  /** Resolves when the current poll has ended. */
  stop(): Promise<void>
}

const LONGEST_PAUSE_MS = 5_000

/** Calls `work` again and again: at once when it answers true, else after a pause that grows while it fails. */
export function startPoll(everyMs: number, work: () => Promise<boolean>, onError: (error: unknown) => void): Poll {
  let timer: NodeJS.Timeout | undefined
  let current = Promise.resolve()
  let isStopped = false
  let failures = 0

  async function run(): Promise<void> {
    let isMore = false
    try {
      isMore = await work()
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
      current = run()
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
