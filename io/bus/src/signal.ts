/** Lets a loop sleep until somebody has work for it. Raised while nobody waits, it is kept for the next wait. */
export interface Signal {
  raise(): void
  /** Resolves when raised, or after `withinMs`. */
  wait(withinMs: number): Promise<void>
}

export function createSignal(): Signal {
  let isRaised = false
  let wake: (() => void) | null = null
  return {
    raise() {
      isRaised = true
      wake?.()
    },
    async wait(withinMs) {
      if (!isRaised && withinMs > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, withinMs)
        wake = resolve
        await promise
        clearTimeout(timer)
        wake = null
      }
      isRaised = false
    },
  }
}
