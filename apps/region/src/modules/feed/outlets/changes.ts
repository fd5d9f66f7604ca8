import { type Clock, instant, type UserId } from '@sealpost/kernel'
import type { Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { oldestVisible } from '../rules.ts'
import { readBacklogs } from '../store/backlogs.ts'
import { readAhead } from '../store/entries.ts'
import { lockHead, lockHeadsOf, markOutlets, takeChannelNo } from '../store/heads.ts'
import { findNumberBefore } from '../store/numbers.ts'
import {
  deleteOutlet,
  insertOutlet,
  type LockedOutlet,
  lockOutlet,
  lockOutletsOf,
  type OutletPlace,
  writeKinds,
  writeOutlets,
} from '../store/outlets.ts'
import { deletePagesOfChannel, narrowPages } from '../store/pages.ts'
import { deleteSubscriptions, readRuns, writeRuns } from '../store/subscriptions.ts'
import type { NewOutlet, OutletChange, OutletChanged, OutletName, OutletTransition } from './contract.ts'
import { type Act, END, flowOf, freshOutlet, type Moment, type Outlet, step } from './machine.ts'
import { closedAt, takenAgain } from './runs.ts'

export interface OutletNeeds {
  readonly clock: Clock
}

export interface SwitchedOutlet {
  readonly name: OutletName
  readonly transition: OutletTransition | null
}

/** It takes what is appended from now on. */
export async function openOutlet(tx: Tx, { clock }: OutletNeeds, name: OutletName, fresh: NewOutlet): Promise<void> {
  const { companyId, serviceId } = name
  const taken = await takeChannelNo(tx, { ownerId: serviceId, accountId: companyId, kind: 'service' })
  if (taken === null) return
  const { channel, lastNo } = taken
  const at = { now: clock.now(), lastNo, graceMs: 0 }
  const { kinds, isEnabled, isSuspended } = fresh
  await insertOutlet(tx, name, { channel, kinds, now: at.now })
  await markOutlets(tx, serviceId)
  const outlet = freshOutlet({ isEnabled, isSuspended, isPaused: false }, at)
  await writeOutlets(tx, [{ serviceId, channel, outlet, leaseSeconds: null }])
  const runs = flowOf(outlet) === 'disabled' ? [] : [{ from: lastNo, to: END, kinds }]
  await writeRuns(tx, { serviceId, channel }, runs)
}

export async function changeOutlet(
  tx: Tx,
  { clock }: OutletNeeds,
  name: OutletName,
  change: OutletChange,
): Promise<OutletChanged> {
  // Before anything is locked: it may have to look through all of the service's own events.
  const after =
    change.act === 'replay' && change.since !== null ? await numberBefore(tx, clock, name, change.since) : null
  const lastNo = await lockHead(tx, name.serviceId)
  const locked = lastNo === null ? null : await lockOutlet(tx, name)
  if (lastNo === null || locked === null) throw refuse('services.webhook_not_found')
  const at = { now: clock.now(), lastNo, graceMs: 0 }
  if (change.act === 'subscribe') await subscribe(tx, locked, change.kinds, at)
  const from = after === null ? null : Math.min(after, lastNo)
  if (from !== null) await takeAgain(tx, locked, from, at)
  const outlet = await apply(tx, locked, (hasBacklog) => actOf(change, hasBacklog, { after: from, lastNo }), at)
  const transition = transitionOf(locked.outlet, outlet)
  if (change.act !== 'replay') return { queued: 0, transition }
  const [backlog] = await readBacklogs(tx, [locked], oldestVisible(at.now))
  return { queued: backlog?.backlogCount ?? 0, transition }
}

/** With its backlog; what is in flight ends for nobody. */
export async function dropOutlet(tx: Tx, { serviceId, webhookId }: OutletName): Promise<void> {
  const lastNo = await lockHead(tx, serviceId)
  const locked = lastNo === null ? null : await lockOutlet(tx, { serviceId, webhookId })
  if (locked === null) return
  await deleteOutlet(tx, locked)
  await deletePagesOfChannel(tx, serviceId, locked.channel)
  await deleteSubscriptions(tx, locked)
  await markOutlets(tx, serviceId)
}

/** The account's level has no webhooks any more: they behave as disabled, whatever they are set to. */
export function suspendOutletsOf(tx: Tx, needs: OutletNeeds, companyId: UserId): Promise<readonly SwitchedOutlet[]> {
  return switchAll(tx, needs, companyId, true)
}

export function resumeOutletsOf(tx: Tx, needs: OutletNeeds, companyId: UserId): Promise<readonly SwitchedOutlet[]> {
  return switchAll(tx, needs, companyId, false)
}

async function switchAll(
  tx: Tx,
  { clock }: OutletNeeds,
  companyId: UserId,
  isSuspended: boolean,
): Promise<readonly SwitchedOutlet[]> {
  const heads = await lockHeadsOf(tx, companyId)
  const lastNos = new Map(heads.map(({ serviceId, lastNo }) => [serviceId, lastNo]))
  const all = await lockOutletsOf(tx, [...lastNos.keys()])
  const switched: SwitchedOutlet[] = []
  for (const locked of all) {
    const { serviceId, webhookId } = locked
    const at = { now: clock.now(), lastNo: lastNos.get(serviceId) ?? 0, graceMs: 0 }
    const outlet = await apply(tx, locked, (hasBacklog) => ({ act: 'switch', to: { isSuspended }, hasBacklog }), at)
    const name = { companyId, serviceId, webhookId }
    switched.push({ name, transition: transitionOf(locked.outlet, outlet) })
  }
  return switched
}

/** Locks are held: nothing is appended and nobody settles until the transaction ends. */
async function apply(tx: Tx, locked: LockedOutlet, choose: (hasBacklog: boolean) => Act, at: Moment): Promise<Outlet> {
  const { outlet: before, kinds } = locked
  const { outlet } = step(before, choose(await isBehind(tx, locked, at)), at)
  const [isTaking, wasTaking] = [flowOf(outlet) !== 'disabled', flowOf(before) !== 'disabled']
  if (isTaking !== wasTaking) await takeFrom(tx, locked, isTaking ? { kinds } : null, at)
  await writeOutlets(tx, [{ ...locked, outlet, leaseSeconds: null }])
  return outlet
}

async function isBehind(tx: Tx, place: LockedOutlet, { now }: Moment): Promise<boolean> {
  const found = await readAhead(tx, [{ place, taken: '{}' }], { visibleFrom: oldestVisible(now), limit: 1 })
  return found.get(0)?.events[0]?.isParked === true
}

async function subscribe(tx: Tx, locked: LockedOutlet, kinds: readonly string[] | null, at: Moment): Promise<void> {
  await writeKinds(tx, locked, kinds)
  if (flowOf(locked.outlet) === 'disabled') return
  await takeFrom(tx, locked, { kinds }, at)
}

/** What was taken so far ends here; null takes nothing from now on. */
async function takeFrom(
  tx: Tx,
  place: OutletPlace,
  next: { readonly kinds: readonly string[] | null } | null,
  { lastNo }: Moment,
): Promise<void> {
  const before = closedAt(await readRuns(tx, place), lastNo)
  await writeRuns(tx, place, next === null ? before : [...before, { from: lastNo, to: END, kinds: next.kinds }])
}

/** One run for all that was missed or is gone; what waits stays, also of kinds that are not taken any more. */
async function takeAgain(tx: Tx, locked: LockedOutlet, from: number, { lastNo }: Moment): Promise<void> {
  const { outlet, kinds } = locked
  await writeRuns(tx, locked, takenAgain(await readRuns(tx, locked), outlet, { from, to: lastNo, kinds }))
  await narrowPages(tx, locked.serviceId, locked.channel)
}

async function numberBefore(tx: Tx, clock: Clock, { serviceId }: OutletName, since: number): Promise<number> {
  const from = instant(Math.max(since, oldestVisible(clock.now())))
  return (await findNumberBefore(tx, serviceId, from)) ?? Number.MAX_SAFE_INTEGER
}

function actOf(
  change: OutletChange,
  hasBacklog: boolean,
  { after, lastNo }: { readonly after: number | null; readonly lastNo: number },
): Act {
  switch (change.act) {
    case 'enable':
      return { act: 'switch', to: { isEnabled: true }, hasBacklog }
    case 'disable':
      return { act: 'switch', to: { isEnabled: false }, hasBacklog }
    case 'pause':
      return { act: 'switch', to: { isPaused: true }, hasBacklog }
    case 'resume':
      return { act: 'switch', to: { isPaused: false }, hasBacklog }
    case 'replay':
      return { act: 'replay', hasBacklog: hasBacklog || (after !== null && after < lastNo), after }
    case 'subscribe':
      return { act: 'touch' }
    case 'retarget':
      return { act: 'retarget', hasBacklog }
    case 'probe':
    case 'touch':
      return change
  }
}

export function transitionOf(before: Outlet, after: Outlet): OutletTransition | null {
  return before.state === after.state ? null : { from: before.state, to: after.state }
}
