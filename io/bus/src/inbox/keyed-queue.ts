/** Runs tasks of one key in their order, and different keys at the same time, up to a limit. */
export interface KeyedQueue {
  add(key: string, task: () => Promise<void>): void
  /** Resolves when everything added so far has run. */
  drained(): Promise<void>
}

/** Tasks must not reject: they own their errors. */
export function createKeyedQueue(atOnce: number): KeyedQueue {
  const waiting = new Map<string, (() => Promise<void>)[]>()
  const ready: string[] = []
  let running = 0
  let onDrained: (() => void)[] = []

  const startNext = (): void => {
    while (running < atOnce && ready.length > 0) {
      const key = ready.shift()
      if (key !== undefined) void runOne(key)
    }
    if (running === 0 && ready.length === 0) {
      for (const resolve of onDrained) resolve()
      onDrained = []
    }
  }
  const runOne = async (key: string): Promise<void> => {
    running += 1
    const tasks = waiting.get(key) ?? []
    await tasks.shift()?.()
    running -= 1
    // A key goes back to the end of the line after each task, so a long one does not keep the others out.
    if (tasks.length > 0) ready.push(key)
    else waiting.delete(key)
    startNext()
  }
  return {
    add(key, task) {
      const tasks = waiting.get(key)
      if (tasks === undefined) {
        waiting.set(key, [task])
        ready.push(key)
      } else tasks.push(task)
      startNext()
    },
    drained: () => (running === 0 && ready.length === 0 ? Promise.resolve() : new Promise((r) => onDrained.push(r))),
  }
}
