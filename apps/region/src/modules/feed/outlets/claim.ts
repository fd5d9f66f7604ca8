import type { Read, Tx } from '@sealpost/postgres'
import { readHeads, takeDueHeads } from '../store/heads.ts'
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
import { type Outlet, step } from './machine.ts'
import { keyOf, OUTLET_LEASE_MS } from './work.ts'

export interface ClaimWish {
  /** How many more running outlets the worker can take. */
  readonly live: number
  /** How many more that have to be tried first. */
  readonly probes: number
}

/** Feeds that are looked into at once; what their outlets have is taken, or left to be taken, before others are. */
const HEADS_AT_ONCE = 200

interface Candidate {
  readonly locked: LockedOutlet
  readonly outlet: Outlet
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
  const grown = wish.live > 0 ? await takeDueHeads(tx, HEADS_AT_ONCE, now) : []
  const woken = grown.length > 0 ? await lockOutletsOf(tx, grown) : []
  const due = await lockDueOutlets(tx, now, wish)
  const at = { now, lastNo: 0, graceMs: 0 }
  const candidates = new Map<string, Candidate>()
  for (const locked of due) candidates.set(keyOf(locked), { locked, outlet: locked.outlet })
  for (const locked of woken)
    if (!candidates.has(keyOf(locked)))
      candidates.set(keyOf(locked), { locked, outlet: step(locked.outlet, { act: 'wake' }, at).outlet })

  const left = { ...wish }
  const steps = [...candidates.values()].map(({ locked, outlet }) => {
    if (!hasRoom(left, outlet)) return { locked, outlet, isMine: false }
    const next = step(outlet, { act: 'claim', isLapsed: locked.isLapsed }, at)
    if (next.isMine) left[roomOf(outlet)] -= 1
    return { locked, ...next }
  })
  const writes = steps.flatMap(({ locked, outlet, isMine }): OutletWrite[] => {
    if (outlet === locked.outlet) return []
    return [{ ...locked, outlet, leaseSeconds: isMine ? OUTLET_LEASE_MS / 1000 : null }]
  })
  await writeOutlets(tx, writes)
  return nameAll(
    tx,
    steps.filter(({ isMine }) => isMine),
  )
}

function roomOf({ state }: Outlet): keyof Wanted {
  return state === 'running' ? 'live' : 'probes'
}

function hasRoom(left: ClaimWish, outlet: Outlet): boolean {
  return left[roomOf(outlet)] > 0
}

async function nameAll(tx: Tx, claimed: readonly Candidate[]): Promise<readonly ClaimedOutlet[]> {
  const heads = await readHeads(tx, [...new Set(claimed.map(({ locked }) => locked.serviceId))])
  return claimed.flatMap(({ locked, outlet }) => {
    const { serviceId, channel, webhookId } = locked
    const head = heads.get(serviceId)
    if (head === undefined) return []
    const { token, epoch, state } = outlet
    const name = { companyId: head.companyId, serviceId, webhookId }
    const transition = transitionOf(locked.outlet, outlet)
    return [{ name, channel, token, epoch, state, leasedForMs: OUTLET_LEASE_MS, transition }]
  })
}
