/** A round of upkeep begins once a minute: a remover that needs longer goes on in the next one. */
const LONGEST_MS = 45_000

/**
 * Runs `batch` until it has removed everything: one batch a minute would not keep up with callers who may create more than
 * that. Each batch is a short transaction of at most `limit` rows, and answers how many it removed.
 */
export async function removeAll(limit: number, batch: (limit: number) => Promise<number>): Promise<number> {
  const began = performance.now()
  let removed = 0
  for (;;) {
    const count = await batch(limit)
    removed += count
    if (count < limit || performance.now() - began > LONGEST_MS) return removed
  }
}
