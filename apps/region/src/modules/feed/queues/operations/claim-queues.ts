import type { ServiceId, UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import type { Platform } from '../../../../platform/module.ts'
import { type HeadFacts, readHeads, takeDueHeads } from '../../store/heads.ts'
import { type ClaimedQueue, transitionOf, type WebhookQueue } from '../model.ts'
import { fullCompanies, mayTakeSlot, type Shares } from '../rules/fair-shares.ts'
import { step } from '../rules/machine.ts'
import type { Moment } from '../rules/parking.ts'
import {
  type ClaimLimits,
  isAnyDue,
  keyOf,
  type LockedQueue,
  lockDueQueues,
  lockQueuesOf,
  type QueueWrite,
  writeQueues,
} from '../store/queues.ts'
import { QUEUE_LEASE_MS } from './record-outcomes.ts'

export interface ClaimRequest extends ClaimLimits {
  /** See [Note: fair shares]; without it there is no limit per company. */
  readonly shares?: Shares
  readonly position?: ClaimPosition
}

/** Kept by a worker between polls, so that each one continues where the last one ended. */
export interface ClaimPosition {
  lastService: ServiceId | null
}

/** Feeds that one claim takes up. */
const HEADS_AT_ONCE = 200

interface Candidate {
  readonly locked: LockedQueue
  readonly queue: WebhookQueue
}

interface NamedCandidate extends Candidate {
  readonly companyId: UserId
}

interface Stepped extends NamedCandidate {
  readonly isMine: boolean
}

/** One cheap statement without locks, for a worker whose last claim was empty. */
export function hasDueQueues({ clock }: Pick<Platform, 'clock'>, read: Read): Promise<boolean> {
  return isAnyDue(read, clock.now())
}

/**
 * [Note: finding work] An append writes no queue: it marks the head of the feed, in the row that it writes anyway. A claim
 * clears the mark and steps all queues of the feed under their locks. The locks are needed: a worker that releases a queue
 * has seen no new event, and a claim that skipped its locked row would leave the new event without a worker.
 */
export async function claimQueues(
  { clock }: Pick<Platform, 'clock'>,
  tx: Tx,
  request: ClaimRequest,
): Promise<readonly ClaimedQueue[]> {
  const now = clock.now()
  const { position } = request
  const grown = request.live > 0 ? await takeDueHeads(tx, HEADS_AT_ONCE, position?.lastService ?? null) : []
  const woken = grown.length > 0 ? await lockQueuesOf(tx, grown) : []
  const full = request.shares === undefined ? [] : fullCompanies(request.shares)
  const due = await lockDueQueues(tx, now, request, full)
  const at = { now, lastNo: 0, probeDelayMs: 0 }
  const candidates = new Map<string, Candidate>()
  for (const locked of due) candidates.set(keyOf(locked), { locked, queue: locked.queue })
  for (const locked of woken)
    if (!candidates.has(keyOf(locked)))
      candidates.set(keyOf(locked), { locked, queue: step(locked.queue, { command: 'wake' }, at).queue })

  const services = [...candidates.values()].map(({ locked }) => locked.serviceId)
  const heads = await readHeads(tx, [...new Set(services)])
  const steps = claimFairly(withCompanies([...candidates.values()], heads), request, at)
  const writes = steps.flatMap(({ locked, queue, isMine }): QueueWrite[] => {
    if (queue === locked.queue) return []
    return [{ ...locked, queue, leaseSeconds: isMine ? QUEUE_LEASE_MS / 1000 : null }]
  })
  await writeQueues(tx, writes)
  if (position !== undefined) position.lastService = grown.at(-1) ?? position.lastService
  return steps.filter(({ isMine }) => isMine).map(claimedOf)
}

function withCompanies(
  candidates: readonly Candidate[],
  heads: ReadonlyMap<ServiceId, HeadFacts>,
): readonly NamedCandidate[] {
  return candidates.flatMap((candidate) => {
    const companyId = heads.get(candidate.locked.serviceId)?.companyId
    return companyId === undefined ? [] : [{ ...candidate, companyId }]
  })
}

/** Companies with few slots come first; queues of one company keep their order, the longest waiting first. */
function claimFairly(candidates: readonly NamedCandidate[], request: ClaimRequest, at: Moment): readonly Stepped[] {
  const held = new Map(request.shares?.held)
  const ranks = new Map(held)
  const ranked = candidates.map((candidate) => {
    const rank = ranks.get(candidate.companyId) ?? 0
    ranks.set(candidate.companyId, rank + 1)
    return { candidate, rank }
  })
  const left = { live: request.live, probes: request.probes, free: request.shares?.free ?? Number.POSITIVE_INFINITY }
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ candidate }) => {
      const { locked, queue, companyId } = candidate
      const slot = slotOf(queue)
      const count = held.get(companyId) ?? 0
      if (left[slot] <= 0 || (slot === 'live' && !mayTakeSlot(count, left.free))) return { ...candidate, isMine: false }
      const next = step(queue, { command: 'claim', isLapsed: locked.isLapsed }, at)
      if (next.isMine) left[slot] -= 1
      if (next.isMine && slot === 'live') {
        left.free -= 1
        held.set(companyId, count + 1)
      }
      return { ...candidate, queue: next.queue, isMine: next.isMine }
    })
}

function slotOf({ state }: WebhookQueue): keyof ClaimLimits {
  return state === 'running' ? 'live' : 'probes'
}

function claimedOf({ locked, queue, companyId }: NamedCandidate): ClaimedQueue {
  const { serviceId, channel, webhookId } = locked
  const { token, epoch, state } = queue
  const name = { companyId, serviceId, webhookId }
  const transition = transitionOf(locked.queue, queue)
  return { name, channel, token, epoch, state, leasedForMs: QUEUE_LEASE_MS, transition }
}
