export interface IdleUses {
  readonly nowMs: () => number
  /** Runs once, when the limit is over. */
  readonly lock: () => void
}

export interface Idle {
  /** The person has done something. */
  readonly touch: () => void
  /** Called now and then; a device that has slept is late. */
  readonly look: () => void
}

export const IDLE_LIMIT_MS = 15 * 60_000

/** Locks the portal when it was left alone. What happens after the limit comes too late: it must not keep the portal open. */
export function watchIdle({ nowMs, lock }: IdleUses): Idle {
  let lastMs = nowMs()
  let isOver = false
  const look = (): void => {
    if (isOver || nowMs() - lastMs < IDLE_LIMIT_MS) return
    isOver = true
    lock()
  }
  return {
    look,
    touch() {
      look()
      if (!isOver) lastMs = nowMs()
    },
  }
}
