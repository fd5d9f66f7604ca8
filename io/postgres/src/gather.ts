import { announceSlowAct } from '@sealpost/kernel'
import type { Database } from './database.ts'
import type { Read } from './scope.ts'

/** What one key leads to; of several keys asked for at once, in their order. */
type Load<Key, Found> = (read: Read, keys: readonly Key[]) => Promise<readonly Found[]>

interface Waiting<Key, Found> {
  readonly key: Key
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/** Bounds what one answer can hold, and how long the others of its statement wait for the largest. */
const AT_ONCE = 32
const SLOW_MS = 20

/**
 * [Note: gathered reads] A round trip to the database costs a process and a backend more than finding a few rows does: two
 * wake-ups, each a change of context. Reads of one kind that come while one is under way therefore wait for it and go
 * together in the next statement. None is answered by a statement that began before it came, so that everybody sees what
 * was committed before they asked. A lone read goes at once, and a statement that is slow holds nobody back.
 */
export function gatherReads<Key, Found>(
  database: Pick<Database, 'read'>,
  load: Load<Key, Found>,
): (key: Key) => Promise<Found> {
  const waiting: Waiting<Key, Found>[] = []
  let isHeld = false

  function next(): void {
    isHeld = waiting.length > 0
    // After this turn of the event loop, so that what came from several sockets in one turn goes together.
    if (isHeld) setImmediate(send)
  }
  function send(): void {
    const group = waiting.splice(0, AT_ONCE)
    const holding = holdFor(SLOW_MS, next)
    void loadGroup(database, load, group).finally(holding)
  }
  return (key) => {
    announceSlowAct('a read on a second connection')
    return new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!isHeld) next()
    })
  }
}

/** Calls `next` when told to, or by itself when that takes too long; once. */
function holdFor(ms: number, next: () => void): () => void {
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    next()
  }
  const timer = setTimeout(end, ms)
  return end
}

async function loadGroup<Key, Found>(
  database: Pick<Database, 'read'>,
  load: Load<Key, Found>,
  group: readonly Waiting<Key, Found>[],
): Promise<void> {
  try {
    const found = await database.read((read) =>
      load(
        read,
        group.map(({ key }) => key),
      ),
    )
    if (found.length !== group.length) throw new Error('a gathered read must answer every key, in their order')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as many as there are keys
    for (const [index, { resolve }] of group.entries()) resolve(found[index] as Found)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
