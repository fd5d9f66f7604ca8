import type { Instant } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { FeedContext } from '../../context.ts'
import { EMPTY_PAGE, type Lease, type NumberSet, type Page, type PageId, type QueueKey } from '../../model.ts'
import { hasPage, leasePage, type PageRequest } from '../../operations/lease-page.ts'
import { formatRanges, NONE, parseRanges, span, subtract } from '../../rules/ranges.ts'
import { oldestVisible } from '../../rules/retention.ts'
import { readPosition } from '../../store/channels.ts'
import { completePage, releasePage } from '../../store/pages.ts'
import type { PendingEvent } from '../model.ts'
import { step } from '../rules/machine.ts'
import { scanAhead } from '../store/pending-events.ts'
import { lockQueues, writeQueues } from '../store/queues.ts'

/**
 * Leases the oldest events of a webhook's backlog to a manual drain; null when a concurrent call of the same attempt got a
 * page. While a worker holds the queue, it may be sending the oldest event, so that one is not leased.
 */
export async function leaseBacklog(feed: FeedContext, key: QueueKey, request: PageRequest): Promise<Page | null> {
  const { database, clock } = feed
  const channel = { ownerId: key.serviceId, channel: key.channel }
  return database.transaction(async (tx) => {
    const [locked] = await lockQueues(tx, [key])
    // Read after the lock, so that leases of concurrent drains are seen.
    const position = await readPosition(tx, channel)
    if (locked === undefined || position === null) return EMPTY_PAGE
    const { queue } = locked
    const isHeld = queue.isLeased && !locked.isLapsed
    const now = clock.now()
    const limit = request.limit + (isHeld ? 2 : 1)
    const found = await readBacklog(tx, key, { leased: position.leased, limit, now })
    const free = isHeld ? found.slice(1) : found
    const events = free.slice(0, request.limit)
    const last = events.at(-1)
    if (last === undefined) return (await hasPage(feed, tx, channel, request)) ? null : EMPTY_PAGE
    const from = isHeld ? (found[0]?.no ?? queue.cursor) : queue.cursor
    const covers = formatRanges([queue.gone, parseRanges(position.leased)].reduce(subtract, span(from, last.no)))
    const id = feed.ids.uuid<PageId>()
    const lease: Lease = { ...channel, id, leaseNo: 1, covers, attemptId: request.attemptId, queue: key }
    if (!(await leasePage(feed, tx, lease, events, request.limit, null))) return null
    const lent = step(queue, { command: 'lend' }, { now, lastNo: position.lastNo, probeDelayMs: 0 })
    await writeQueues(tx, [{ ...key, queue: lent.queue, leaseSeconds: null }])
    return { events, hasMore: free.length > events.length, isRepeated: false, lease }
  })
}

/** The answer was sent and its events are gone, or it failed and they are free. A worker that waits for them may go on. */
export async function completeBacklog(
  { clock }: Pick<FeedContext, 'clock'>,
  tx: Tx,
  lease: Lease & { readonly queue: QueueKey },
  isDelivered: boolean,
): Promise<void> {
  const [locked] = await lockQueues(tx, [lease.queue])
  const covers = isDelivered ? await completePage(tx, lease) : null
  if (!isDelivered) await releasePage(tx, lease)
  if (locked === undefined) return
  const gone = covers === null ? NONE : parseRanges(covers)
  const returned = step(locked.queue, { command: 'return', gone }, { now: clock.now(), lastNo: 0, probeDelayMs: 0 })
  await writeQueues(tx, [{ ...locked, queue: returned.queue, leaseSeconds: null }])
}

/** Whether the backlog has events beyond the leased ones. */
export async function hasFreeBacklog(read: Read, key: QueueKey, leased: NumberSet, now: Instant): Promise<boolean> {
  return (await readBacklog(read, key, { leased, limit: 1, now })).length > 0
}

async function readBacklog(
  read: Read,
  key: QueueKey,
  { leased, limit, now }: { readonly leased: NumberSet; readonly limit: number; readonly now: Instant },
): Promise<readonly PendingEvent[]> {
  const found = await scanAhead(read, [{ key, excluded: leased }], { visibleFrom: oldestVisible(now), limit })
  return (found.get(0)?.events ?? []).filter(({ isParked }) => isParked)
}
