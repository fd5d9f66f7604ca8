const INSPECT = Symbol.for('nodejs.util.inspect.custom')
const SHOWN = '[secret]'

/**
 * A value that must not reach a log, an error, an event or a URL. Every way of printing it gives `[secret]`; `reveal()`
 * is the only access, and easy to search for.
 */
export class Secret<T> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toString(): string {
    return SHOWN
  }

  toJSON(): string {
    return SHOWN
  }

  [INSPECT](): string {
    return SHOWN
  }
}
