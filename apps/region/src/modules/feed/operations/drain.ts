import type { Instant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { FeedContext } from '../context.ts'
import {
  type DrainRequest,
  EMPTY_PAGE,
  type FeedOwner,
  type Lease,
  type NumberSet,
  ownerIdOf,
  type Page,
  type QueueKey,
  type StoredEvent,
} from '../model.ts'
import { completeBacklog, hasFreeBacklog, leaseBacklog } from '../queues/operations/manual-drain.ts'
import { kindsAt } from '../queues/rules/subscription-runs.ts'
import { readRuns } from '../queues/store/subscriptions.ts'
import { LEASE_SECONDS, oldestAttempt } from '../rules/leases.ts'
import { oldestVisible } from '../rules/retention.ts'
import { type AttemptedPage, type ChannelState, findChannel, PLAIN, readPosition } from '../store/channels.ts'
import { readChosen, readFree } from '../store/events.ts'
import { acknowledgePage, releasePage, renewLease } from '../store/pages.ts'
import { enterListener } from './enter-listener.ts'
import { leaseFreeEvents } from './lease-page.ts'

/** Concurrent calls of one attempt: the later one finds the page of the first. */
const MAX_TRIES = 3

/**
 * Leases the oldest free events to one answer, until it was sent (`acknowledge`) or failed (`release`). When the process
 * dies in between, the lease expires.
 */
export async function drainPage(feed: FeedContext, request: DrainRequest): Promise<Page> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const page = await tryPage(feed, request)
    if (page !== null) return page
  }
  throw new Error('the page of an attempt can neither be found nor created')
}

export async function acknowledge(feed: FeedContext, lease: Lease): Promise<void> {
  const { queue } = lease
  if (queue === null) await feed.database.write((tx) => acknowledgePage(tx, lease))
  else await feed.database.transaction((tx) => completeBacklog(feed, tx, { ...lease, queue }, true))
}

export async function release(feed: FeedContext, lease: Lease): Promise<void> {
  const { queue } = lease
  if (queue === null) await feed.database.write((tx) => releasePage(tx, lease))
  else await feed.database.transaction((tx) => completeBacklog(feed, tx, { ...lease, queue }, false))
}

/** A poll of an empty channel costs one read and writes nothing. */
async function tryPage(feed: FeedContext, request: DrainRequest): Promise<Page | null> {
  const { database, clock } = feed
  const { owner, listener, webhookId, attemptId } = request
  const ownerId = ownerIdOf(owner)
  const attempt = { id: attemptId, madeAfter: oldestAttempt(clock.now()) }
  const found = await database.read((read) => findChannel(read, { ownerId, listener, webhookId }, attempt))
  const { state, page } = found ?? { state: null, page: null }
  const queue = webhookId === null ? null : requireQueue(owner, state)
  if (state !== null && page !== null) return repeatPage(feed, request, { page, state, queue })
  if (queue !== null) return leaseBacklog(feed, queue, request)
  const channel = listener === null ? PLAIN : await enterListener(feed, { owner, listener }, state)
  if (state === null || channel === null || state.cursor >= state.lastNo) return EMPTY_PAGE
  return leaseFreeEvents(feed, { ownerId, channel }, request, state.channel === null ? null : state)
}

/** Another service's webhook answers like a missing one. */
function requireQueue(owner: FeedOwner, state: ChannelState | null): QueueKey {
  if (owner.kind !== 'service' || state === null || state.channel === null) throw refuse('services.webhook_not_found')
  return { serviceId: owner.serviceId, channel: state.channel }
}

interface Repeated {
  readonly page: AttemptedPage
  readonly state: ChannelState
  readonly queue: QueueKey | null
}

/** Answers the events of an earlier call of the same attempt, delivered or not. */
async function repeatPage(
  { database, clock }: FeedContext,
  { owner, limit, attemptId }: DrainRequest,
  { page: { id, channel, chosen, covers, limit: firstLimit }, state, queue }: Repeated,
): Promise<Page | null> {
  if (state.channel !== channel || limit !== firstLimit) throw refuse('company_data.attempt_invalid')
  const ownerId = ownerIdOf(owner)
  const leaseNo = await database.write((tx) => renewLease(tx, ownerId, id, LEASE_SECONDS))
  if (leaseNo === null) return null
  const lease: Lease = { ownerId, channel, id, leaseNo, covers, attemptId, queue }
  return database.read(async (read) => ({
    events: await readAgain(read, lease, chosen),
    hasMore: await hasFreeEvents(read, lease, clock.now()),
    isRepeated: true,
    lease,
  }))
}

async function readAgain(read: Read, { ownerId, queue }: Lease, chosen: NumberSet): Promise<readonly StoredEvent[]> {
  const events = await readChosen(read, ownerId, chosen)
  if (queue === null) return events
  const runs = await readRuns(read, queue)
  return events.map((event) => ({ ...event, kinds: kindsAt(runs, event.no) }))
}

async function hasFreeEvents(read: Read, lease: Lease, now: Instant): Promise<boolean> {
  const position = await readPosition(read, lease)
  if (position === null) return false
  if (lease.queue !== null) return hasFreeBacklog(read, lease.queue, position.leased, now)
  const query = { ...position, ownerId: lease.ownerId, visibleFrom: oldestVisible(now), limit: 1 }
  return (await readFree(read, query)).length > 0
}
