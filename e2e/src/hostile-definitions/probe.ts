const EVERY_MS = 2
const MEGABYTE = 1_048_576

export interface Cost {
  /** CPU time of the main thread between two looks, which is one task and what ran beside it. */
  readonly longestMs: number
  readonly moreMb: number
}

/** What a piece of work costs the process that serves all others: its longest task, and the memory that it adds. */
export async function measured<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly cost: Cost }> {
  const memoryBefore = process.memoryUsage.rss()
  let cpu = process.threadCpuUsage()
  let [longest, memory] = [0, memoryBefore]
  const look = (): void => {
    const used = process.threadCpuUsage(cpu)
    cpu = process.threadCpuUsage()
    longest = Math.max(longest, (used.user + used.system) / 1000)
    memory = Math.max(memory, process.memoryUsage.rss())
  }
  const timer = setInterval(look, EVERY_MS)
  try {
    const value = await work()
    look()
    return { value, cost: { longestMs: longest, moreMb: Math.max(0, (memory - memoryBefore) / MEGABYTE) } }
  } finally {
    clearInterval(timer)
  }
}
