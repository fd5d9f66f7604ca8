import type { Read, Tx } from '@sealpost/postgres'
import type { FeedContext } from '../context.ts'
import {
  type ChannelKey,
  type DrainRequest,
  EMPTY_PAGE,
  type Lease,
  type NumberSet,
  type Page,
  type PageId,
  type StoredEvent,
} from '../model.ts'
import { LEASE_SECONDS, oldestAttempt } from '../rules/leases.ts'
import { formatRanges, parseRanges, rangesOf, span, subtract } from '../rules/ranges.ts'
import { oldestVisible } from '../rules/retention.ts'
import { type ChannelPosition, insertChannel, lockChannel, markGone, PLAIN, readPosition } from '../store/channels.ts'
import { readFree } from '../store/events.ts'
import { hasAttempt, insertPage } from '../store/pages.ts'

export type PageRequest = Pick<DrainRequest, 'limit' | 'attemptId'>

/**
 * Leases the oldest free events; null when a concurrent call of the same attempt got a page.
 *
 * [Note: optimistic leases] Events are chosen from a snapshot read without a lock, and one statement leases them if the
 * channel's version is still that of the snapshot. Only a reader that lost this race waits for the channel's lock and
 * chooses again under it.
 */
export async function leaseFreeEvents(
  feed: FeedContext,
  channel: ChannelKey,
  request: PageRequest,
  snapshot: ChannelPosition | null,
): Promise<Page | null> {
  const page = snapshot === null ? null : await leaseFromSnapshot(feed, channel, request, snapshot)
  return page ?? leaseUnderLock(feed, channel, request)
}

async function leaseFromSnapshot(
  feed: FeedContext,
  channel: ChannelKey,
  request: PageRequest,
  snapshot: ChannelPosition,
): Promise<Page | null> {
  const choice = await feed.database.read((read) => chooseFree(read, feed, channel, request, snapshot))
  const page = pageOf(feed, channel, request, choice)
  if (page === null) return null
  const { lease, events } = page
  const isLeased = await feed.database.write((tx) =>
    leasePage(feed, tx, lease, events, request.limit, snapshot.version),
  )
  return isLeased ? page : null
}

function leaseUnderLock(feed: FeedContext, channel: ChannelKey, request: PageRequest): Promise<Page | null> {
  return feed.database.transaction(async (tx) => {
    await lockOrCreate(feed, tx, channel)
    // Read after the lock, so that leases of concurrent readers are seen.
    const position = await readPosition(tx, channel)
    if (position === null) return EMPTY_PAGE
    const choice = await chooseFree(tx, feed, channel, request, position)
    const page = pageOf(feed, channel, request, choice)
    if (page !== null) {
      const { lease, events } = page
      return (await leasePage(feed, tx, lease, events, request.limit, null)) ? page : null
    }
    if (await hasPage(feed, tx, channel, request)) return null
    // The rest can never be delivered: collapsed into later events that are gone, or expired.
    await markGone(tx, channel, choice.covers)
    return EMPTY_PAGE
  })
}

interface Choice {
  readonly events: readonly StoredEvent[]
  readonly hasMore: boolean
  /** The numbers of the events, and those between them that are collapsed or expired. */
  readonly covers: NumberSet
}

async function chooseFree(
  read: Read,
  { clock }: FeedContext,
  { ownerId }: ChannelKey,
  { limit }: PageRequest,
  { cursor, gone, leased, lastNo }: ChannelPosition,
): Promise<Choice> {
  const visibleFrom = oldestVisible(clock.now())
  const found = await readFree(read, { ownerId, cursor, gone, leased, visibleFrom, limit: limit + 1 })
  const events = found.slice(0, limit)
  const covers = [parseRanges(gone), parseRanges(leased)].reduce(subtract, span(cursor, events.at(-1)?.no ?? lastNo))
  return { events, hasMore: found.length > events.length, covers: formatRanges(covers) }
}

/** Null when no event was chosen. */
function pageOf(
  { ids }: FeedContext,
  channel: ChannelKey,
  { attemptId }: PageRequest,
  { events, hasMore, covers }: Choice,
): (Page & { readonly lease: Lease }) | null {
  if (events.length === 0) return null
  const lease: Lease = { ...channel, id: ids.uuid<PageId>(), leaseNo: 1, covers, attemptId, queue: null }
  return { events, hasMore, isRepeated: false, lease }
}

/** A concurrent call of the same attempt may have leased all events while this one waited for the lock. */
export async function hasPage(
  { clock }: FeedContext,
  tx: Tx,
  { ownerId }: Pick<ChannelKey, 'ownerId'>,
  { attemptId }: PageRequest,
): Promise<boolean> {
  return attemptId !== null && hasAttempt(tx, ownerId, attemptId, oldestAttempt(clock.now()))
}

/** False when the attempt got a page meanwhile, or the channel changed since `version`. */
export async function leasePage(
  { clock }: FeedContext,
  tx: Tx,
  lease: Lease,
  events: readonly StoredEvent[],
  limit: number,
  version: number | null,
): Promise<boolean> {
  const now = clock.now()
  const chosen = formatRanges(rangesOf(events.map(({ no }) => no)))
  const attemptsFrom = oldestAttempt(now)
  return insertPage(tx, { lease, limit, chosen, now, attemptsFrom, leaseSeconds: LEASE_SECONDS, version })
}

/** The plain channel is created by its first read; the channel of a listener that was just deleted is not. */
async function lockOrCreate({ clock }: FeedContext, tx: Tx, channel: ChannelKey): Promise<void> {
  if ((await lockChannel(tx, channel)) || channel.channel !== PLAIN) return
  await insertChannel(tx, channel, { listener: null, cursor: 0, now: clock.now() })
  await lockChannel(tx, channel)
}
