import type { LineStore, StoreHold } from '../pump/line-store.ts'
import { StoreError } from '../pump/store-error.ts'

/**
 * Which deliveries were handled. Answer from your database instead if several processes receive; two of them that get the
 * same delivery at the same instant both handle it, unless `contentKey` is unique where the handler writes.
 */
export interface SeenDeliveries {
  /** Whether one of these keys was added. */
  has(keys: readonly string[]): boolean | Promise<boolean>
  /** Called when a delivery was handled, before it is answered. */
  add(keys: readonly string[]): void | Promise<void>
}

/** A delivery has two keys. */
const KEYS = 20_000

/** The last deliveries; a restart forgets them, and what then comes again is handled again. */
export function seenInMemory({ keys = KEYS }: { readonly keys?: number } = {}): SeenDeliveries {
  const known = new Set<string>()
  return {
    has: (wanted) => wanted.some((key) => known.has(key)),
    add: (added) => remember(known, added, keys),
  }
}

/** The last deliveries, remembered in a store such as `fileStore(folder)`, which belongs to one process at a time. */
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
    // First of all: what was handled is not handled again because the disk is full.
    remember(known, added, limit)
    const isGrown = lines + added.length >= 2 * limit
    const isAppended = isWhole && !isGrown
    isWhole = false
    // Forgetting the last ones in a power cut means handling them once more.
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
 * Lines are not synced one by one, so a power cut can leave torn ones: they are left out. A store that holds lines and
 * no key at all belongs to something else, and is refused.
 */
function keysOf(store: LineStore, lines: readonly string[]): readonly string[] {
  const keys = lines.filter((line) => KEY.test(line))
  if (keys.length > 0 || lines.length < 2) return keys
  throw new StoreError(
    'other_channel',
    `${store.name} remembers something else than deliveries: give it its own folder`,
  )
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
