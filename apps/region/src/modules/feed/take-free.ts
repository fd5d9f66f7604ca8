import type { Tx } from '@sealpost/postgres'
import type { StoredEvent } from './event.ts'
import type { FeedNeeds } from './needs.ts'
import { formatRanges, parseRanges, rangesOf, span, subtract } from './ranges.ts'
import { LEASE_SECONDS, oldestAttempt, oldestVisible } from './rules.ts'
import {
  type ChannelName,
  insertChannel,
  lockChannel,
  markGone,
  type PageId,
  PLAIN,
  type Progress,
} from './store/channels.ts'
import { readFree } from './store/log.ts'
import { hasAttempt, insertPage, type Lease, readOpenLeases } from './store/pages.ts'
import { type DrainRequest, NOTHING, type TakenPage } from './taken-page.ts'

export type Wanted = Pick<DrainRequest, 'limit' | 'attemptId'>

/** Leases the oldest events that are free; null when the attempt has got a page in the meantime. */
export async function takeFree(needs: FeedNeeds, name: ChannelName, wanted: Wanted): Promise<TakenPage | null> {
  const { database, clock } = needs
  return database.transaction(async (tx) => {
    const progress = await lockProgress(tx, needs, name)
    // Only now: what was leased while this call waited for its turn must be seen.
    const open = await readOpenLeases(tx, name)
    if (progress === null || open === null) return NOTHING
    const found = await readFree(tx, {
      ...progress,
      ownerId: name.ownerId,
      leased: open.leased,
      visibleFrom: oldestVisible(clock.now()),
      limit: wanted.limit + 1,
    })
    const events = found.slice(0, wanted.limit)
    const taken = [parseRanges(progress.gone), parseRanges(open.leased)]
    const covers = formatRanges(taken.reduce(subtract, span(progress.cursor, events.at(-1)?.no ?? open.lastNo)))
    if (events.length === 0) {
      if (await hasPage(tx, needs, name, wanted)) return null
      // What is left can never be seen: hidden by later events that have gone before it, or too old.
      await markGone(tx, name, covers)
      return NOTHING
    }
    const id = needs.ids.uuid<PageId>()
    const lease: Lease = { ...name, id, leaseNo: 1, covers, attemptId: wanted.attemptId, outlet: null }
    const isLeased = await leasePage(tx, needs, lease, events, wanted.limit)
    return isLeased ? { events, hasMore: found.length > events.length, isRepeated: false, lease } : null
  })
}

/** A call of the same attempt may have taken all there was while this one waited for its turn. */
export async function hasPage(
  tx: Tx,
  { clock }: FeedNeeds,
  { ownerId }: Pick<ChannelName, 'ownerId'>,
  { attemptId }: Wanted,
): Promise<boolean> {
  return attemptId !== null && hasAttempt(tx, ownerId, attemptId, oldestAttempt(clock.now()))
}

/** False when the attempt has got a page in the meantime. */
export async function leasePage(
  tx: Tx,
  { clock }: FeedNeeds,
  lease: Lease,
  events: readonly StoredEvent[],
  limit: number,
): Promise<boolean> {
  const now = clock.now()
  const chosen = formatRanges(rangesOf(events.map(({ no }) => no)))
  return insertPage(tx, { lease, limit, chosen, now, attemptsFrom: oldestAttempt(now), leaseSeconds: LEASE_SECONDS })
}

/** The plain channel comes to be when it is first read from; a listener that has just been dropped is empty. */
async function lockProgress(tx: Tx, { clock }: FeedNeeds, name: ChannelName): Promise<Progress | null> {
  const progress = await lockChannel(tx, name)
  if (progress !== null || name.channel !== PLAIN) return progress
  await insertChannel(tx, name, { listener: null, cursor: 0, now: clock.now() })
  return lockChannel(tx, name)
}
