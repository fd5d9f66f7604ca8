/** Keeps a limited number of values; the one that was set first is removed. `undefined` is no value. */
export interface BoundedCache<Key, Value> {
  readonly size: number
  /** Undefined for a key that was never set, was deleted or has expired. */
  get(key: Key): Value | undefined
  /** Makes a known key the newest, too. `keepMs` overrides that of the cache. */
  set(key: Key, value: Value, keepMs?: number): void
  /** The value of the key, made by `make` and set if there is none. */
  remember(key: Key, make: () => Value): Value
  delete(key: Key): void
  clear(): void
}

export interface CacheOptions {
  /** The maximum number of values. */
  readonly most: number
  /** How long a value counts after it was set; without limit by default. */
  readonly expiry?: { readonly keepMs: number; now(): number }
}

interface Entry<Value> {
  readonly value: Value
  readonly untilMs: number
}

/** Two for every value that is set, so that expired values are removed faster than new ones arrive. */
const CHECKS_PER_SET = 2

/**
 * The oldest is removed, not the least recently read: a read then costs one lookup, and a value in use is made again at
 * once. See docs/decisions/0013-caches-and-batches.md.
 */
export function createBoundedCache<Key, Value>({ most, expiry }: CacheOptions): BoundedCache<Key, Value> {
  const entries = new Map<Key, Entry<Value>>()
  const oldest = oldestOf(entries)
  const isOld = (entry: Entry<Value>): boolean => expiry !== undefined && entry.untilMs <= expiry.now()

  function get(key: Key): Value | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (!isOld(entry)) return entry.value
    entries.delete(key)
    return undefined
  }
  function set(key: Key, value: Value, keepMs?: number): void {
    // A map keeps the order of insertion: deleted first, the entry comes last.
    entries.delete(key)
    entries.set(key, { value, untilMs: expiry === undefined ? 0 : expiry.now() + (keepMs ?? expiry.keepMs) })
    makeRoom()
  }
  function makeRoom(): void {
    for (let checks = 0; checks < CHECKS_PER_SET; checks += 1) {
      if (expiry === undefined && entries.size <= most) return
      const found = oldest()
      if (found === null || (entries.size <= most && !isOld(found.entry))) return
      entries.delete(found.key)
    }
  }
  return {
    get size() {
      return entries.size
    },
    get,
    set,
    remember(key, make) {
      const known = get(key)
      if (known !== undefined) return known
      const value = make()
      set(key, value)
      return value
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}

interface Oldest<Key, Value> {
  readonly key: Key
  readonly entry: Entry<Value>
}

/**
 * The first entry of the map, by one iterator that continues: a map keeps the places of deleted entries for a while,
 * and a new iterator would skip all of them each time.
 */
function oldestOf<Key, Value>(entries: Map<Key, Entry<Value>>): () => Oldest<Key, Value> | null {
  let iterator = entries.entries()
  let first: Oldest<Key, Value> | null = null
  return () => {
    // Still there and not set anew, which would have moved it to the end.
    if (first !== null && entries.get(first.key) === first.entry) return first
    const next = iterator.next()
    if (next.done === true) {
      // Everything before it was deleted, so the map is empty; a finished iterator never continues.
      iterator = entries.entries()
      first = null
    } else first = { key: next.value[0], entry: next.value[1] }
    return first
  }
}
