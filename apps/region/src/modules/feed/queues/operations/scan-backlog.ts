import type { Instant, WebhookId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { oldestVisible } from '../../rules/retention.ts'
import { scanAhead } from '../store/pending-events.ts'
import type { LockedQueue } from '../store/queues.ts'

/** The result of a scan before any lock was taken. */
export interface Scanned {
  readonly epoch: number
  /** No number up to here is pending, unless the queue's epoch has risen since. */
  readonly beyond: number
}

/** A few hundred thousand numbers. */
const SCANS_BEFORE = 30
/** A few hundred numbers. */
const SCANS_LOCKED = 2

/**
 * [Note: scan before locking] The effect of a change depends on whether the queue has a backlog, and finding that out may
 * take a scan of everything since its cursor. Under the lock of the head this would stop all appends to the feed. So the
 * long scan runs before; under the locks only later numbers are scanned, and few of them. A queue whose backlog is still
 * unknown then is treated as if it had one: the worker that finds no event to probe with marks it as running.
 */
export async function scanBeforeLocking(
  read: Read,
  queues: readonly LockedQueue[],
  now: Instant,
): Promise<ReadonlyMap<WebhookId, Scanned>> {
  const options = { visibleFrom: oldestVisible(now), limit: 1, maxScans: SCANS_BEFORE }
  const found = await scanAhead(
    read,
    queues.map((key) => ({ key, excluded: '{}' })),
    options,
  )
  return new Map(
    queues.map(({ webhookId, queue }, i) => {
      const { events, scannedTo } = found.get(i) ?? { events: [], scannedTo: 0 }
      const [next] = events
      return [webhookId, { epoch: queue.epoch, beyond: next === undefined ? scannedTo : next.no - 1 }]
    }),
  )
}

/** For a locked queue, starting from an earlier scan of it. */
export async function hasBacklog(tx: Tx, locked: LockedQueue, scanned: Scanned | null, now: Instant): Promise<boolean> {
  const search = { key: locked, excluded: '{}', beyond: scanned?.beyond ?? 0 }
  const options = { visibleFrom: oldestVisible(now), limit: 1, maxScans: SCANS_LOCKED }
  const found = (await scanAhead(tx, [search], options)).get(0)
  if (found === undefined) return false
  const [next] = found.events
  if (next !== undefined) return next.isParked
  return !found.isEnded && found.scannedTo < locked.queue.parkedTo
}
