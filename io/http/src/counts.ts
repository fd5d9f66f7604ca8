/** How many of each key there are now; a key without any is not kept. */
export interface Counts {
  of(key: string): number
  /** Answers how many there are with it. */
  add(key: string): number
  remove(key: string): void
}

export function openCounts(): Counts {
  const counts = new Map<string, number>()
  const of = (key: string): number => counts.get(key) ?? 0
  return {
    of,
    add(key) {
      counts.set(key, of(key) + 1)
      return of(key)
    },
    remove(key) {
      if (of(key) > 1) counts.set(key, of(key) - 1)
      else counts.delete(key)
    },
  }
}
