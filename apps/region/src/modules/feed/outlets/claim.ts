import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { type HeadFacts, readHeads, takeDueHeads } from '../store/heads.ts'
import {
  isAnyDue,
  type LockedOutlet,
  lockDueOutlets,
  lockOutletsOf,
  type OutletWrite,
  type Wanted,
  writeOutlets,
} from '../store/outlets.ts'
import { type OutletNeeds, transitionOf } from './changes.ts'
import type { ClaimedOutlet } from './contract.ts'
import { type Moment, type Outlet, step } from './machine.ts'
import { fullCompanies, mayTake, type Shares } from './shares.ts'
import { keyOf, OUTLET_LEASE_MS } from './work.ts'

export interface ClaimWish {
  /** How many more running outlets the worker can take. */
  readonly live: number
  /** How many more that have to be tried first. */
  readonly probes: number
  /** Who has how much already: [Note: fair shares]. Without it there is room for everybody. */
  readonly shares?: Shares
  readonly round?: Round
}

/** Kept by a worker from look to look, which go on where the last one ended. */
export interface Round {
  lastService: ServiceId | null
}

/** Feeds that are looked into at once; what their outlets have is taken, or left to be taken, before others are. */
const HEADS_AT_ONCE = 200

interface Candidate {
  readonly locked: LockedOutlet
  readonly outlet: Outlet
}

interface Named extends Candidate {
  readonly companyId: UserId
}

interface Stepped extends Named {
  readonly isMine: boolean
}

/** A look that costs nearly nothing, for a worker that found nothing the last time. */
export function hasDueOutlets(read: Read, { clock }: OutletNeeds): Promise<boolean> {
  return isAnyDue(read, clock.now())
}

/**
 * [Note: finding work] Appending tells no outlet: it marks the head of the feed, in the row that it writes anyway. Here the
 * mark is taken off and the outlets are looked at, all of them and under their locks: one that is being let go was told
 * before this transaction that nothing more has come, so its row must be waited for, or nobody would wake it.
 */
export async function claimOutlets(tx: Tx, { clock }: OutletNeeds, wish: ClaimWish): Promise<readonly ClaimedOutlet[]> {
  const now = clock.now()
  const grown = wish.live > 0 ? await takeDueHeads(tx, HEADS_AT_ONCE, wish.round?.lastService ?? null) : []
  const woken = grown.length > 0 ? await lockOutletsOf(tx, grown) : []
  const without = wish.shares === undefined ? [] : fullCompanies(wish.shares)
  const due = await lockDueOutlets(tx, now, wish, without)
  const at = { now, lastNo: 0, graceMs: 0 }
  const candidates = new Map<string, Candidate>()
  for (const locked of due) candidates.set(keyOf(locked), { locked, outlet: locked.outlet })
  for (const locked of woken)
    if (!candidates.has(keyOf(locked)))
      candidates.set(keyOf(locked), { locked, outlet: step(locked.outlet, { act: 'wake' }, at).outlet })

  const services = [...candidates.values()].map(({ locked }) => locked.serviceId)
  const heads = await readHeads(tx, [...new Set(services)])
  const steps = claimFairly(named([...candidates.values()], heads), wish, at)
  const writes = steps.flatMap(({ locked, outlet, isMine }): OutletWrite[] => {
    if (outlet === locked.outlet) return []
    return [{ ...locked, outlet, leaseSeconds: isMine ? OUTLET_LEASE_MS / 1000 : null }]
  })
  await writeOutlets(tx, writes)
  if (wish.round !== undefined) wish.round.lastService = grown.at(-1) ?? wish.round.lastService
  return steps.filter(({ isMine }) => isMine).map(claimedOf)
}

function named(candidates: readonly Candidate[], heads: ReadonlyMap<ServiceId, HeadFacts>): readonly Named[] {
  return candidates.flatMap((candidate) => {
    const companyId = heads.get(candidate.locked.serviceId)?.companyId
    return companyId === undefined ? [] : [{ ...candidate, companyId }]
  })
}

/** Companies that have little come first; within each those that wait the longest, as they were found. */
function claimFairly(candidates: readonly Named[], wish: ClaimWish, at: Moment): readonly Stepped[] {
  const held = new Map(wish.shares?.held)
  const ranks = new Map(held)
  const ranked = candidates.map((candidate) => {
    const rank = ranks.get(candidate.companyId) ?? 0
    ranks.set(candidate.companyId, rank + 1)
    return { candidate, rank }
  })
  const left = { live: wish.live, probes: wish.probes, free: wish.shares?.free ?? Number.POSITIVE_INFINITY }
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ candidate }) => {
      const { locked, outlet, companyId } = candidate
      const place = roomOf(outlet)
      const count = held.get(companyId) ?? 0
      if (left[place] <= 0 || (place === 'live' && !mayTake(count, left.free))) return { ...candidate, isMine: false }
      const next = step(outlet, { act: 'claim', isLapsed: locked.isLapsed }, at)
      if (next.isMine) left[place] -= 1
      if (next.isMine && place === 'live') {
        left.free -= 1
        held.set(companyId, count + 1)
      }
      return { ...candidate, outlet: next.outlet, isMine: next.isMine }
    })
}

function roomOf({ state }: Outlet): keyof Wanted {
  return state === 'running' ? 'live' : 'probes'
}

function claimedOf({ locked, outlet, companyId }: Named): ClaimedOutlet {
  const { serviceId, channel, webhookId } = locked
  const { token, epoch, state } = outlet
  const name = { companyId, serviceId, webhookId }
  const transition = transitionOf(locked.outlet, outlet)
  return { name, channel, token, epoch, state, leasedForMs: OUTLET_LEASE_MS, transition }
}
