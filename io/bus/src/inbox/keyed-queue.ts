/** Processes items of one key in their order, several at a time, and different keys concurrently, up to a limit. */
export interface KeyedQueue<Item> {
  add(key: string, item: Item): void
  /** Resolves when everything added so far has been processed. */
  drained(): Promise<void>
}

export interface KeyedQueueOptions<Item> {
  readonly keysAtOnce: number
  readonly itemsAtOnce: number
  /** Must not reject: it handles its own errors. */
  work(items: readonly Item[]): Promise<void>
}

export function createKeyedQueue<Item>(options: KeyedQueueOptions<Item>): KeyedQueue<Item> {
  const waiting = new Map<string, Item[]>()
  const ready: string[] = []
  const onDrained: (() => void)[] = []
  const turns = { running: 0 }

  const startNext = (): void => {
    while (turns.running < options.keysAtOnce) {
      const key = ready.shift()
      if (key === undefined) break
      void workOn(key, waiting.get(key) ?? [])
    }
    if (turns.running === 0) for (const resolve of onDrained.splice(0)) resolve()
  }
  const workOn = async (key: string, items: Item[]): Promise<void> => {
    turns.running += 1
    await options.work(items.splice(0, options.itemsAtOnce))
    turns.running -= 1
    // A key goes back to the end of the queue after each batch, so a long one does not block the others.
    if (items.length > 0) ready.push(key)
    else waiting.delete(key)
    startNext()
  }
  return {
    add(key, item) {
      const items = waiting.get(key)
      if (items !== undefined) {
        items.push(item)
        return
      }
      waiting.set(key, [item])
      ready.push(key)
      startNext()
    },
    drained: () => (turns.running === 0 ? Promise.resolve() : new Promise((resolve) => onDrained.push(resolve))),
  }
}
