import type { Instant, WebhookId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { oldestVisible } from '../rules.ts'
import { readAhead } from '../store/entries.ts'
import type { LockedOutlet } from '../store/outlets.ts'

/** What a look has found that was taken before anything was locked. */
export interface Seen {
  readonly epoch: number
  /** Nothing up to here is to be sent, unless somebody changed the outlet since. */
  readonly beyond: number
}

/** Some hundred thousand numbers. */
const LOOKS_BEFORE = 30
/** Some hundred numbers. */
const LOOKS_LOCKED = 2

/**
 * [Note: looking before locking] What a change does to an outlet depends on whether it has a backlog, and to know that one
 * may have to look at everything since its cursor. With the head locked nobody could append meanwhile. So the long look
 * comes before; behind the locks only what it has not seen is looked at, and not much of it. An outlet of which even then
 * is not known whether it has a backlog is treated as if: the worker that finds nothing to try it with says that it runs.
 */
export async function lookBefore(
  read: Read,
  outlets: readonly LockedOutlet[],
  now: Instant,
): Promise<ReadonlyMap<WebhookId, Seen>> {
  const looking = { visibleFrom: oldestVisible(now), limit: 1, looks: LOOKS_BEFORE }
  const searches = outlets.map((place) => ({ place, taken: '{}' }))
  const found = await readAhead(read, searches, looking)
  return new Map(
    outlets.map((place, i) => {
      const { events, lookedTo } = found.get(i) ?? { events: [], lookedTo: 0 }
      const [next] = events
      return [place.webhookId, { epoch: place.outlet.epoch, beyond: next === undefined ? lookedTo : next.no - 1 }]
    }),
  )
}

/** Of a locked outlet, with what was seen of it before. */
export async function isBehind(tx: Tx, locked: LockedOutlet, seen: Seen | null, now: Instant): Promise<boolean> {
  const search = { place: locked, taken: '{}', beyond: seen?.beyond ?? 0 }
  const looking = { visibleFrom: oldestVisible(now), limit: 1, looks: LOOKS_LOCKED }
  const found = (await readAhead(tx, [search], looking)).get(0)
  if (found === undefined) return false
  const [next] = found.events
  if (next !== undefined) return next.isParked
  return !found.isEnded && found.lookedTo < locked.outlet.parkedTo
}
