/** Collects and prints the results of the smoke test. */
export class Checks {
  readonly #results: { readonly name: string; readonly isGood: boolean }[] = []

  check(name: string, isGood: boolean): void {
    this.#results.push({ name, isGood })
    console.log(`${isGood ? '  ok  ' : ' FAIL '}${name}`)
  }

  /** Polls until the condition holds. */
  async await(name: string, isGood: () => Promise<boolean>, deadlineMs = 20_000): Promise<void> {
    const end = Date.now() + deadlineMs
    while (!(await isGood())) {
      if (Date.now() > end) return this.check(`${name} (not within ${deadlineMs / 1000} s)`, false)
      await new Promise((resolve) => void setTimeout(resolve, 100))
    }
    return this.check(name, true)
  }

  /** Prints the totals and returns the number of failures. */
  summary(): number {
    const failed = this.#results.filter(({ isGood }) => !isGood).length
    console.log(`smoke: ${this.#results.length - failed} passed, ${failed} failed`)
    return failed
  }
}
