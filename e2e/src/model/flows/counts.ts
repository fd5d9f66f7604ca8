/** What happened in some runs, by name. */
export class Counts {
  readonly #counts = new Map<string, number>()

  add(name: string, times = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times)
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  entries(): readonly (readonly [string, number])[] {
    return [...this.#counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  }
}
