/** The things opened so far, freed in reverse order. */
export type Opened = AsyncDisposableStack

/** Frees everything that `open` has opened if it fails; if it succeeds, the caller closes it. */
export async function openWhole<T>(open: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = new AsyncDisposableStack()
  try {
    return await open(opened)
  } catch (error) {
    await opened.disposeAsync().catch((trouble: unknown) => {
      const sentence = 'it did not start, and what had been opened could not be freed'
      throw new AggregateError([error, trouble], sentence, { cause: error })
    })
    throw error
  }
}

/** Like `Promise.all`, but it fails only when all have settled: nothing then appears after the cleaning. */
export async function settleAll<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
