import type { Instant } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { FeedNeeds } from '../needs.ts'
import { formatRanges, NONE, parseRanges, span, subtract } from '../ranges.ts'
import { oldestVisible } from '../rules.ts'
import { type PageId, readStanding } from '../store/channels.ts'
import { readAhead } from '../store/entries.ts'
import { lockOutlets, type OutletPlace, writeOutlets } from '../store/outlets.ts'
import { type Lease, releasePage, settlePage } from '../store/pages.ts'
import { hasPage, leasePage, type Wanted } from '../take-free.ts'
import { NOTHING, type TakenPage } from '../taken-page.ts'
import type { OutletEvent } from './contract.ts'
import { step } from './machine.ts'

/**
 * Leases the oldest events of a webhook's backlog to somebody who drains it by hand; null when the attempt has got a page
 * in the meantime. While a worker holds the webhook the oldest of them may be on its way, so that one is left to it.
 */
export async function takeBacklog(needs: FeedNeeds, place: OutletPlace, wanted: Wanted): Promise<TakenPage | null> {
  const { database, clock } = needs
  const name = { ownerId: place.serviceId, channel: place.channel }
  return database.transaction(async (tx) => {
    const [locked] = await lockOutlets(tx, [place])
    // Only now: what was leased while this call waited for its turn must be seen.
    const standing = await readStanding(tx, name)
    if (locked === undefined || standing === null) return NOTHING
    const { outlet } = locked
    const isHeld = outlet.isLeased && !locked.isLapsed
    const now = clock.now()
    const limit = wanted.limit + (isHeld ? 2 : 1)
    const found = await readParked(tx, place, { leased: standing.leased, limit, now })
    const free = isHeld ? found.slice(1) : found
    const events = free.slice(0, wanted.limit)
    const last = events.at(-1)
    if (last === undefined) return (await hasPage(tx, needs, name, wanted)) ? null : NOTHING
    const from = isHeld ? (found[0]?.no ?? outlet.cursor) : outlet.cursor
    const covers = formatRanges([outlet.gone, parseRanges(standing.leased)].reduce(subtract, span(from, last.no)))
    const id = needs.ids.uuid<PageId>()
    const lease: Lease = { ...name, id, leaseNo: 1, covers, attemptId: wanted.attemptId, outlet: place }
    if (!(await leasePage(tx, needs, lease, events, wanted.limit, null))) return null
    const lent = step(outlet, { act: 'lend' }, { now, lastNo: standing.lastNo, graceMs: 0 })
    await writeOutlets(tx, [{ ...place, outlet: lent.outlet, leaseSeconds: null }])
    return { events, hasMore: free.length > events.length, isRepeated: false, lease }
  })
}

/** The answer got out and its events are gone, or it did not and they are free; a worker who waits for them may go on. */
export async function returnBacklog(
  tx: Tx,
  { clock }: Pick<FeedNeeds, 'clock'>,
  lease: Lease & { readonly outlet: OutletPlace },
  isDelivered: boolean,
): Promise<void> {
  const [locked] = await lockOutlets(tx, [lease.outlet])
  const covers = isDelivered ? await settlePage(tx, lease) : null
  if (!isDelivered) await releasePage(tx, lease)
  if (locked === undefined) return
  const gone = covers === null ? NONE : parseRanges(covers)
  const returned = step(locked.outlet, { act: 'return', gone }, { now: clock.now(), lastNo: 0, graceMs: 0 })
  await writeOutlets(tx, [{ ...locked, outlet: returned.outlet, leaseSeconds: null }])
}

/** Whether there is more of a backlog than what is leased. */
export async function hasBacklog(read: Read, place: OutletPlace, leased: string, now: Instant): Promise<boolean> {
  return (await readParked(read, place, { leased, limit: 1, now })).length > 0
}

async function readParked(
  read: Read,
  place: OutletPlace,
  { leased, limit, now }: { readonly leased: string; readonly limit: number; readonly now: Instant },
): Promise<readonly OutletEvent[]> {
  const found = await readAhead(read, [{ place, taken: leased }], { visibleFrom: oldestVisible(now), limit })
  return (found.get(0)?.events ?? []).filter(({ isParked }) => isParked)
}
