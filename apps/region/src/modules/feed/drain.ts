import type { Instant } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { enterListener } from './listeners.ts'
import type { FeedNeeds } from './needs.ts'
import { hasBacklog, returnBacklog, takeBacklog } from './outlets/by-hand.ts'
import { type FeedOwner, ownerIdOf } from './owner.ts'
import { LEASE_SECONDS, oldestAttempt, oldestVisible } from './rules.ts'
import { type AttemptedPage, type ChannelState, findChannel, PLAIN, readStanding } from './store/channels.ts'
import { readChosen, readFree } from './store/log.ts'
import type { OutletPlace } from './store/outlets.ts'
import { endPage, type Lease, releasePage, renewLease } from './store/pages.ts'
import { takeFree } from './take-free.ts'
import { type DrainRequest, NOTHING, type TakenPage } from './taken-page.ts'

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

export async function acknowledge(needs: FeedNeeds, lease: Lease): Promise<void> {
  const { outlet } = lease
  if (outlet === null) await needs.database.write((tx) => endPage(tx, lease))
  else await needs.database.transaction((tx) => returnBacklog(tx, needs, { ...lease, outlet }, true))
}

export async function release(needs: FeedNeeds, lease: Lease): Promise<void> {
  const { outlet } = lease
  if (outlet === null) await needs.database.write((tx) => releasePage(tx, lease))
  else await needs.database.transaction((tx) => returnBacklog(tx, needs, { ...lease, outlet }, false))
}

/** Whoever polls an empty channel costs one read and writes nothing. */
async function tryPage(needs: FeedNeeds, request: DrainRequest): Promise<TakenPage | null> {
  const { database, clock } = needs
  const { owner, listener, webhookId, attemptId } = request
  const ownerId = ownerIdOf(owner)
  const attempt = { id: attemptId, madeAfter: oldestAttempt(clock.now()) }
  const found = await database.read((read) => findChannel(read, { ownerId, listener, webhookId }, attempt))
  const { state, page } = found ?? { state: null, page: null }
  const outlet = webhookId === null ? null : outletAt(owner, state)
  if (state !== null && page !== null) return repeatPage(needs, request, { page, state, outlet })
  if (outlet !== null) return takeBacklog(needs, outlet, request)
  const channel = listener === null ? PLAIN : await enterListener(needs, { owner, listener }, state)
  if (state === null || channel === null || state.cursor >= state.lastNo) return NOTHING
  return takeFree(needs, { ownerId, channel }, request, state.channel === null ? null : state)
}

/** Another service's webhook is as little known as none. */
function outletAt(owner: FeedOwner, state: ChannelState | null): OutletPlace {
  if (owner.kind !== 'service' || state === null || state.channel === null) throw refuse('services.webhook_not_found')
  return { serviceId: owner.serviceId, channel: state.channel }
}

interface Repeated {
  readonly page: AttemptedPage
  readonly state: ChannelState
  readonly outlet: OutletPlace | null
}

/** The events of an attempt that was made before, whatever has become of them since. */
async function repeatPage(
  needs: FeedNeeds,
  { owner, limit, attemptId }: DrainRequest,
  { page: { id, channel, chosen, covers, limit: firstLimit }, state, outlet }: Repeated,
): Promise<TakenPage | null> {
  const { database, clock } = needs
  if (state.channel !== channel || limit !== firstLimit) throw refuse('company_data.attempt_invalid')
  const ownerId = ownerIdOf(owner)
  const leaseNo = await database.write((tx) => renewLease(tx, ownerId, id, LEASE_SECONDS))
  if (leaseNo === null) return null
  const lease: Lease = { ownerId, channel, id, leaseNo, covers, attemptId, outlet }
  return database.read(async (read) => ({
    events: await readChosen(read, ownerId, chosen),
    hasMore: await hasFree(read, lease, clock.now()),
    isRepeated: true,
    lease,
  }))
}

async function hasFree(read: Read, lease: Lease, now: Instant): Promise<boolean> {
  const standing = await readStanding(read, lease)
  if (standing === null) return false
  if (lease.outlet !== null) return hasBacklog(read, lease.outlet, standing.leased, now)
  const wish = { ...standing, ownerId: lease.ownerId, visibleFrom: oldestVisible(now), limit: 1 }
  return (await readFree(read, wish)).length > 0
}
