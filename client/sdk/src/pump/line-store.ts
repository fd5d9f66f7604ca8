/**
 * Persistent state of a pump or a receiver: a list of lines with one holder at a time. `memoryStore()` is one;
 * `fileStore(folder)` of `@sealpost/sdk/file-store` survives crashes; any storage that keeps lines in order can be another.
 */
export interface LineStore {
  /** Its name in error messages. */
  readonly name: string
  /** The present lines, also while another process holds the store. After a crash the last line may be torn. */
  read(): Promise<readonly string[]>
  /** Holds the store until `release`; `heldBy` names the present holder. */
  acquire(): Promise<{ readonly hold: StoreHold } | { readonly heldBy: string }>
}

export interface StoreHold {
  /** Appends a line. When the promise of a durable line resolves, it and all lines before it survive a power cut. */
  append(line: string, isDurable: boolean): Promise<void>
  /**
   * Replaces all lines, durably and atomically: a crash leaves either the old lines or the new ones. After a partial write
   * this is the only allowed write.
   */
  replace(lines: readonly string[]): Promise<void>
  release(): Promise<void>
}

/** Lines in memory, lost with the process: for tests, and for pages that can read all data again. */
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
