/**
 * Where what must not be forgotten is written down: a list of lines with one holder at a time. `memoryStore()` is one;
 * `fileStore(folder)` of `@sealpost/sdk/file-store` survives crashes; anything that keeps lines in order can be another.
 */
export interface LineStore {
  /** Names it in errors. */
  readonly name: string
  /** The lines as they are now, whoever holds them. A line that was being written when its process died may be torn. */
  read(): Promise<readonly string[]>
  /** Takes the store until `release`; `heldBy` says who has it already. */
  acquire(): Promise<{ readonly hold: StoreHold } | { readonly heldBy: string }>
}

export interface StoreHold {
  /** After the others. A durable one is there after a power cut as soon as the promise is settled, with all before it. */
  append(line: string, isDurable: boolean): Promise<void>
  /**
   * These lines instead of all others, durably: a crash leaves either the old ones or the new ones. Where a line could
   * not be written whole, this is how the store goes on.
   */
  replace(lines: readonly string[]): Promise<void>
  release(): Promise<void>
}

/** Remembers as long as the process lives: for tests, and for pages that can read everything anew. */
export function memoryStore(): LineStore {
  let kept: string[] = []
  let isHeld = false
  const hold: StoreHold = {
    append(line) {
      kept.push(line)
      return Promise.resolve()
    },
    replace(lines) {
      kept = [...lines]
      return Promise.resolve()
    },
    release() {
      isHeld = false
      return Promise.resolve()
    },
  }
  return {
    name: 'a store in memory',
    read: () => Promise.resolve([...kept]),
    acquire() {
      if (isHeld) return Promise.resolve({ heldBy: 'this process' })
      isHeld = true
      return Promise.resolve({ hold })
    },
  }
}
