import type { Read, Tx } from '@sealpost/postgres'
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
  readStanding,
  type Standing,
} from './store/channels.ts'
import { type NumberSet, readFree } from './store/log.ts'
import { hasAttempt, insertPage, type Lease } from './store/pages.ts'
import { type DrainRequest, NOTHING, type TakenPage } from './taken-page.ts'

export type Wanted = Pick<DrainRequest, 'limit' | 'attemptId'>

/**
 * Leases the oldest events that are free; null when the attempt has got a page in the meantime.
 * [Note: turns] They are chosen from what was seen without a lock, and one statement leases them if nobody has taken any
 * since. Only where several readers of a channel meet does the one who is late wait for the others and choose under its lock.
 */
export async function takeFree(
  needs: FeedNeeds,
  name: ChannelName,
  wanted: Wanted,
  seen: Standing | null,
): Promise<TakenPage | null> {
  return (seen === null ? null : await takeSeen(needs, name, wanted, seen)) ?? takeInTurn(needs, name, wanted)
}

async function takeSeen(
  needs: FeedNeeds,
  name: ChannelName,
  wanted: Wanted,
  seen: Standing,
): Promise<TakenPage | null> {
  const choice = await needs.database.read((read) => chooseFree(read, needs, name, wanted, seen))
  const page = pageOf(needs, name, wanted, choice)
  if (page === null) return null
  const { lease, events } = page
  const isLeased = await needs.database.write((tx) => leasePage(tx, needs, lease, events, wanted.limit, seen.turn))
  return isLeased ? page : null
}

function takeInTurn(needs: FeedNeeds, name: ChannelName, wanted: Wanted): Promise<TakenPage | null> {
  return needs.database.transaction(async (tx) => {
    await enterTurn(tx, needs, name)
    // Only now: what was leased while this call waited for its turn must be seen.
    const standing = await readStanding(tx, name)
    if (standing === null) return NOTHING
    const choice = await chooseFree(tx, needs, name, wanted, standing)
    const page = pageOf(needs, name, wanted, choice)
    if (page !== null) {
      const { lease, events } = page
      return (await leasePage(tx, needs, lease, events, wanted.limit, null)) ? page : null
    }
    if (await hasPage(tx, needs, name, wanted)) return null
    // What is left can never be seen: hidden by later events that have gone before it, or too old.
    await markGone(tx, name, choice.covers)
    return NOTHING
  })
}

interface Choice {
  readonly events: readonly StoredEvent[]
  readonly hasMore: boolean
  /** They, and those between them that nobody will see. */
  readonly covers: NumberSet
}

async function chooseFree(
  read: Read,
  { clock }: FeedNeeds,
  { ownerId }: ChannelName,
  { limit }: Wanted,
  { cursor, gone, leased, lastNo }: Standing,
): Promise<Choice> {
  const visibleFrom = oldestVisible(clock.now())
  const found = await readFree(read, { ownerId, cursor, gone, leased, visibleFrom, limit: limit + 1 })
  const events = found.slice(0, limit)
  const covers = [parseRanges(gone), parseRanges(leased)].reduce(subtract, span(cursor, events.at(-1)?.no ?? lastNo))
  return { events, hasMore: found.length > events.length, covers: formatRanges(covers) }
}

/** Null for a choice of nothing. */
function pageOf(
  { ids }: FeedNeeds,
  name: ChannelName,
  { attemptId }: Wanted,
  { events, hasMore, covers }: Choice,
): (TakenPage & { readonly lease: Lease }) | null {
  if (events.length === 0) return null
  const lease: Lease = { ...name, id: ids.uuid<PageId>(), leaseNo: 1, covers, attemptId, outlet: null }
  return { events, hasMore, isRepeated: false, lease }
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

/** False when the attempt has got a page in the meantime, or others have taken something since `turn`. */
export async function leasePage(
  tx: Tx,
  { clock }: FeedNeeds,
  lease: Lease,
  events: readonly StoredEvent[],
  limit: number,
  turn: number | null,
): Promise<boolean> {
  const now = clock.now()
  const chosen = formatRanges(rangesOf(events.map(({ no }) => no)))
  const attemptsFrom = oldestAttempt(now)
  return insertPage(tx, { lease, limit, chosen, now, attemptsFrom, leaseSeconds: LEASE_SECONDS, turn })
}

/** The plain channel comes to be when it is first read from; a listener that has just been dropped is not there. */
async function enterTurn(tx: Tx, { clock }: FeedNeeds, name: ChannelName): Promise<void> {
  if ((await lockChannel(tx, name)) || name.channel !== PLAIN) return
  await insertChannel(tx, name, { listener: null, cursor: 0, now: clock.now() })
  await lockChannel(tx, name)
}
