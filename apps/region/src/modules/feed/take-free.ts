import type { Tx } from '@sealpost/postgres'
import type { DrainRequest, TakenPage } from './drain.ts'
import type { StoredEvent } from './event.ts'
import type { FeedNeeds } from './needs.ts'
import { LEASE_SECONDS, oldestAttempt, oldestVisible } from './rules.ts'
import { type ChannelName, insertChannel, lockChannel, markGone, PLAIN, type Progress } from './store/channels.ts'
import { readFree } from './store/log.ts'
import {
  deleteAttempt,
  findAttempt,
  insertPage,
  type Lease,
  type PageId,
  readOpenLeases,
  subtractTaken,
} from './store/pages.ts'

type Wanted = Pick<DrainRequest, 'limit' | 'attemptId'>

/** Leases the oldest events that are free; null when the attempt has got a page in the meantime. */
export async function takeFree(needs: FeedNeeds, name: ChannelName, wanted: Wanted): Promise<TakenPage | null> {
  const { database, clock } = needs
  return database.transaction(async (tx) => {
    const progress = await lockProgress(tx, needs, name)
    // Only now: what was leased while this call waited for its turn must be seen.
    const open = await readOpenLeases(tx, name)
    if (progress === null || open === null) return nothing()
    const found = await readFree(tx, {
      ...progress,
      ownerId: name.ownerId,
      leased: open.leased,
      visibleFrom: oldestVisible(clock.now()),
      limit: wanted.limit + 1,
    })
    const events = found.slice(0, wanted.limit)
    const to = events.at(-1)?.no ?? open.lastNo
    const covers = await subtractTaken(tx, progress, open.leased, to)
    if (events.length === 0) {
      if (await hasPage(tx, needs, name, wanted)) return null
      // What is left can never be seen: hidden by later events that have gone before it, or too old.
      await markGone(tx, name, covers)
      return nothing()
    }
    const lease: Lease = {
      ...name,
      id: needs.ids.uuid<PageId>(),
      leaseNo: 1,
      covers,
      attemptId: wanted.attemptId,
    }
    const isLeased = await leasePage(tx, needs, lease, events, wanted.limit)
    return isLeased ? { events, hasMore: found.length > events.length, isRepeated: false, lease } : null
  })
}

/** A call of the same attempt may have taken all there was while this one waited for its turn. */
async function hasPage(
  tx: Tx,
  { clock }: FeedNeeds,
  { ownerId }: ChannelName,
  { attemptId }: Wanted,
): Promise<boolean> {
  return attemptId !== null && (await findAttempt(tx, ownerId, attemptId, oldestAttempt(clock.now()))) !== null
}

function nothing(): TakenPage {
  return { events: [], hasMore: false, isRepeated: false, lease: null }
}

async function leasePage(
  tx: Tx,
  { clock }: FeedNeeds,
  lease: Lease,
  events: readonly StoredEvent[],
  limit: number,
): Promise<boolean> {
  const now = clock.now()
  if (lease.attemptId !== null) await deleteAttempt(tx, lease.ownerId, lease.attemptId, oldestAttempt(now))
  const numbers = events.map(({ no }) => no)
  return insertPage(tx, { lease, limit, numbers, now, leaseSeconds: LEASE_SECONDS })
}

/** The plain channel comes to be when it is first read from; a listener that has just been dropped is empty. */
async function lockProgress(tx: Tx, { clock }: FeedNeeds, name: ChannelName): Promise<Progress | null> {
  const progress = await lockChannel(tx, name)
  if (progress !== null || name.channel !== PLAIN) return progress
  await insertChannel(tx, name, { listener: null, cursor: 0, now: clock.now() })
  return lockChannel(tx, name)
}
