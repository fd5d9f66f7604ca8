import type { Instant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { StoredEvent } from './event.ts'
import { enterListener } from './listeners.ts'
import type { FeedNeeds } from './needs.ts'
import { type FeedOwner, type OwnerId, ownerIdOf } from './owner.ts'
import { LEASE_SECONDS, oldestAttempt, oldestVisible } from './rules.ts'
import { type ChannelName, type ChannelState, findChannel, markGone, PLAIN, readProgress } from './store/channels.ts'
import { readChosen, readFree } from './store/log.ts'
import {
  type AttemptedPage,
  findAttempt,
  type Lease,
  readOpenLeases,
  releasePage,
  renewLease,
  settlePage,
} from './store/pages.ts'
import { takeFree } from './take-free.ts'

export interface DrainRequest {
  readonly owner: FeedOwner
  readonly limit: number
  /** Null for the plain channel. */
  readonly listener: string | null
  readonly attemptId: string | null
}

export interface TakenPage {
  readonly events: readonly StoredEvent[]
  readonly hasMore: boolean
  /** The same page was answered before. */
  readonly isRepeated: boolean
  /** Null when there is nothing to lease. */
  readonly lease: Lease | null
}

const NOTHING: TakenPage = { events: [], hasMore: false, isRepeated: false, lease: null }
/** Calls of one attempt may come at once; whoever is late finds the page of the first. */
const TRIES = 3

/**
 * Takes the oldest free events for one answer: they are leased until the answer is out (`acknowledge`) or is known not to
 * get out (`release`). A process that dies in between leaves a lease that runs out.
 */
export async function takePage(needs: FeedNeeds, request: DrainRequest): Promise<TakenPage> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const page = await tryPage(needs, request)
    if (page !== null) return page
  }
  throw new Error('the page of an attempt can neither be found nor made')
}

export async function acknowledge({ database }: FeedNeeds, lease: Lease): Promise<void> {
  await database.transaction(async (tx) => {
    await markGone(tx, lease, lease.covers)
    await settlePage(tx, lease)
  })
}

export async function release({ database }: FeedNeeds, lease: Lease): Promise<void> {
  await database.transaction((tx) => releasePage(tx, lease))
}

/** Whoever polls an empty channel costs one read and writes nothing. */
async function tryPage(needs: FeedNeeds, request: DrainRequest): Promise<TakenPage | null> {
  const { database, clock } = needs
  const { owner, listener, attemptId } = request
  const ownerId = ownerIdOf(owner)
  const { page, state } = await database.read(async (read) => {
    // Before the page: where nothing waits and no page is seen afterwards, no call of this attempt has got one.
    const before = await findChannel(read, ownerId, listener)
    const known = attemptId === null ? null : await findAttempt(read, ownerId, attemptId, oldestAttempt(clock.now()))
    // Once more after the page: the channel of one that is seen must be seen, too.
    return { page: known, state: known === null ? before : await findChannel(read, ownerId, listener) }
  })
  if (page !== null) return repeatPage(needs, request, page, state)
  const channel = listener === null ? PLAIN : await enterListener(needs, { owner, listener }, state)
  if (state === null || channel === null || state.cursor >= state.lastNo) return NOTHING
  return takeFree(needs, { ownerId, channel }, request)
}

/** The events of an attempt that was made before, whatever has become of them since. */
async function repeatPage(
  needs: FeedNeeds,
  { owner, limit, attemptId }: DrainRequest,
  { id, channel, chosen, covers, limit: firstLimit }: AttemptedPage,
  state: ChannelState | null,
): Promise<TakenPage | null> {
  const { database, clock } = needs
  if (state?.channel !== channel || limit !== firstLimit) throw refuse('company_data.attempt_invalid')
  const ownerId: OwnerId = ownerIdOf(owner)
  const leaseNo = await database.transaction((tx) => renewLease(tx, ownerId, id, LEASE_SECONDS))
  if (leaseNo === null) return null
  const lease: Lease = { ownerId, channel, id, leaseNo, covers, attemptId }
  return database.read(async (read) => ({
    events: await readChosen(read, ownerId, chosen),
    hasMore: await hasFree(read, lease, clock.now()),
    isRepeated: true,
    lease,
  }))
}

async function hasFree(read: Read, name: ChannelName, now: Instant): Promise<boolean> {
  const progress = await readProgress(read, name)
  const open = await readOpenLeases(read, name)
  if (progress === null || open === null) return false
  const wish = { ...progress, ownerId: name.ownerId, leased: open.leased, visibleFrom: oldestVisible(now), limit: 1 }
  return (await readFree(read, wish)).length > 0
}
