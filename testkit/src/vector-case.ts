/**
 * One language-neutral case, ready to be run. Suites that make them import nothing of Node, so that the same cases run
 * in a browser.
 */
export interface VectorCase {
  readonly name: string
  /** Throws when the implementation does not do what the vector says. */
  readonly run: () => void | Promise<void>
}
