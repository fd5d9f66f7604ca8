/**
 * Many senders request the same kind of data at nearly the same time. Requests that come while a batch is loading form
 * the next batch, so the cost of a batch is shared exactly when there is much to do.
 */
export interface Batcher<Key, Value> {
  load(key: Key): Promise<Value>
}

type LoadBatch<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>

interface Request<Key, Value> {
  readonly key: Key
  readonly value: PromiseWithResolvers<Value>
}

/**
 * `loadBatch` answers in the order of the keys. When a batch fails, its keys are loaded one by one, so that one bad key
 * does not fail the others.
 */
export function openBatcher<Key, Value>(maxSize: number, loadBatch: LoadBatch<Key, Value>): Batcher<Key, Value> {
  const waiting: Request<Key, Value>[] = []
  let isLoading = false

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxSize)
      const isLoaded = await answerBatch(batch, loadBatch)
      if (!isLoaded && batch.length > 1) await Promise.all(batch.map((one) => answerBatch([one], loadBatch)))
    }
    isLoading = false
  }

  return {
    load(key) {
      const value = Promise.withResolvers<Value>()
      waiting.push({ key, value })
      if (!isLoading) {
        isLoading = true
        // In the next turn of the event loop, so that requests of other sockets join the batch.
        setImmediate(() => void run())
      }
      return value.promise
    },
  }
}

async function answerBatch<Key, Value>(
  batch: readonly Request<Key, Value>[],
  loadBatch: LoadBatch<Key, Value>,
): Promise<boolean> {
  try {
    const values = await loadBatch(batch.map(({ key }) => key))
    for (const [index, { value }] of batch.entries()) {
      const found = values[index]
      if (found === undefined) value.reject(new Error('a batch was loaded without a value for each key'))
      else value.resolve(found)
    }
    return true
  } catch (error) {
    if (batch.length === 1) for (const { value } of batch) value.reject(error)
    return false
  }
}
