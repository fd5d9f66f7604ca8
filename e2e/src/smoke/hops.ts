/** Every hop of the walk, checked and printed as it is made. */
export class Hops {
  readonly #made: { readonly name: string; readonly isGood: boolean }[] = []

  check(name: string, isGood: boolean): void {
    this.#made.push({ name, isGood })
    console.log(`${isGood ? '  ok  ' : ' FAIL '}${name}`)
  }

  /** A hop whose outcome takes its time: looks again until it is good. */
  async await(name: string, isGood: () => Promise<boolean>, deadlineMs = 20_000): Promise<void> {
    const end = Date.now() + deadlineMs
    while (!(await isGood())) {
      if (Date.now() > end) return this.check(`${name} (not within ${deadlineMs / 1000} s)`, false)
      await new Promise((resolve) => void setTimeout(resolve, 100))
    }
    return this.check(name, true)
  }

  /** How many failed. */
  summary(): number {
    const failed = this.#made.filter(({ isGood }) => !isGood).length
    console.log(`smoke: ${this.#made.length - failed} passed, ${failed} failed`)
    return failed
  }
}
