import type { LineStore, StoreHold } from '../pump/line-store.ts'
import { StoreError } from '../pump/store-error.ts'

/**
 * The record of handled deliveries. With several receiving processes, implement it with your database; two processes that
 * get the same delivery concurrently both handle it, unless the handler writes `contentKey` under a unique constraint.
 */
export interface SeenDeliveries {
  /** Whether one of these keys was added before. */
  has(keys: readonly string[]): boolean | Promise<boolean>
  /** Called when a delivery was handled, before it is answered. */
  add(keys: readonly string[]): void | Promise<void>
}

/** Two keys for each delivery. */
const KEYS = 20_000

/** The last deliveries, in memory: after a restart a repeated delivery is handled again. */
export function seenInMemory({ keys = KEYS }: { readonly keys?: number } = {}): SeenDeliveries {
  const known = new Set<string>()
  return {
    has: (wanted) => wanted.some((key) => known.has(key)),
    add: (added) => remember(known, added, keys),
  }
}

/** The last deliveries, in a store such as `fileStore(folder)`, which one process at a time can hold. */
export async function seenInStore(
  store: LineStore,
  { keys = KEYS }: { readonly keys?: number } = {},
): Promise<SeenDeliveries & { close(): Promise<void> }> {
  const taken = await store.acquire()
  if ('heldBy' in taken) throw new StoreError('in_use', `${store.name} is in use by ${taken.heldBy}`)
  const { hold } = taken
  const known = new Set<string>()
  try {
    remember(known, keysOf(store, await store.read()), keys)
    await hold.replace([...known])
  } catch (error) {
    await hold.release()
    throw error
  }
  return {
    has: (wanted) => wanted.some((key) => known.has(key)),
    add: journal(hold, known, keys),
    close: () => hold.release(),
  }
}

function journal(hold: StoreHold, known: Set<string>, limit: number): (added: readonly string[]) => Promise<void> {
  let last = Promise.resolve()
  let lines = known.size
  let isWhole = true
  const write = async (added: readonly string[]): Promise<void> => {
    // Before writing: also when the disk is full, a handled delivery is not handled again.
    remember(known, added, limit)
    const isGrown = lines + added.length >= 2 * limit
    const isAppended = isWhole && !isGrown
    isWhole = false
    // Not durable: after a power cut the last deliveries may be handled once more.
    if (isAppended) for (const key of added) await hold.append(key, false)
    else await hold.replace([...known])
    isWhole = true
    lines = isAppended ? lines + added.length : known.size
  }
  return (added) => {
    const written = last.then(() => write(added))
    last = written.catch(() => {})
    return written
  }
}

const KEY = /^(content|webhook-id):/

/**
 * Lines are not synced, so a power cut can leave torn ones: they are ignored. A store with lines but without any key has
 * another purpose and is refused.
 */
function keysOf(store: LineStore, lines: readonly string[]): readonly string[] {
  const keys = lines.filter((line) => KEY.test(line))
  if (keys.length > 0 || lines.length < 2) return keys
  throw new StoreError('other_channel', `${store.name} contains something else than deliveries: give it its own folder`)
}

function remember(known: Set<string>, added: readonly string[], limit: number): void {
  for (const key of added) {
    known.delete(key)
    known.add(key)
  }
  for (const key of known) {
    if (known.size <= limit) return
    known.delete(key)
  }
}
