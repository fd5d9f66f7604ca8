import { type Clock, type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import { oldestVisible } from '../rules.ts'
import { countAgain, readBacklogs } from '../store/backlogs.ts'
import { lockHead, lockHeadsOf, markOutlets, takeChannelNo } from '../store/heads.ts'
import { findNumberBefore } from '../store/numbers.ts'
import {
  deleteOutlet,
  insertOutlet,
  type LockedOutlet,
  lockOutlet,
  lockOutletsOf,
  type OutletPlace,
  readOutlet,
  readOutletsOfCompany,
  writeKinds,
  writeOutlets,
} from '../store/outlets.ts'
import { deletePagesOfChannel, narrowPages } from '../store/pages.ts'
import { deleteSubscriptions, readRuns, writeRuns } from '../store/subscriptions.ts'
import { isBehind, lookBefore, type Seen } from './behind.ts'
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

/** Several at once are one: the lock of the feed's head is held for as short as can be. */
export async function changeOutlet(
  tx: Tx,
  { clock }: OutletNeeds,
  name: OutletName,
  ...changes: readonly OutletChange[]
): Promise<OutletChanged> {
  const ahead = await foresee(tx, clock, name, changes)
  const lastNo = await lockHead(tx, name.serviceId)
  const locked = lastNo === null ? null : await lockOutlet(tx, name)
  if (lastNo === null || locked === null) throw refuse('services.webhook_not_found')
  const at = { now: clock.now(), lastNo, graceMs: 0 }
  const seen = stillTrue(ahead.seen, locked)
  let changed = locked
  for (const change of changes) changed = await changeLocked(tx, changed, change, { ...ahead, seen }, at)
  return { queued: ahead.queued, transition: transitionOf(locked.outlet, changed.outlet) }
}

/** What takes long to find out, and is found out before anything is locked. */
interface Foreseen {
  readonly seen: Seen | null
  /** The number behind which everything is to be sent again; null when it is not. */
  readonly after: number | null
  readonly queued: number
}

async function foresee(tx: Tx, clock: Clock, name: OutletName, changes: readonly OutletChange[]): Promise<Foreseen> {
  const outlet = changes.some(asksForBacklog) ? await readOutlet(tx, name) : null
  if (outlet === null) return { seen: null, after: null, queued: 0 }
  const now = clock.now()
  const replay = changes.find(({ act }) => act === 'replay')
  const since = replay?.act === 'replay' ? replay.since : null
  const after = since === null ? null : await numberBefore(tx, clock, name, since)
  const seen = (await lookBefore(tx, [outlet], now)).get(name.webhookId) ?? null
  return { seen, after, queued: replay === undefined ? 0 : await countQueued(tx, outlet, after, oldestVisible(now)) }
}

async function countQueued(read: Read, place: OutletPlace, after: number | null, from: Instant): Promise<number> {
  if (after !== null) return countAgain(read, place, after, from)
  const [backlog] = await readBacklogs(read, [place], from)
  return backlog?.backlogCount ?? 0
}

/** Whatever changes an outlet from outside raises its epoch; workers only ever take away from what is to be sent. */
function stillTrue(seen: Seen | null | undefined, { outlet }: LockedOutlet): Seen | null {
  return seen?.epoch === outlet.epoch ? seen : null
}

async function changeLocked(
  tx: Tx,
  locked: LockedOutlet,
  change: OutletChange,
  { seen, after }: Pick<Foreseen, 'seen' | 'after'>,
  at: Moment,
): Promise<LockedOutlet> {
  const { lastNo } = at
  const kinds = change.act === 'subscribe' ? change.kinds : locked.kinds
  if (change.act === 'subscribe') await subscribe(tx, locked, kinds, at)
  const from = after === null ? null : Math.min(after, lastNo)
  if (from !== null) await takeAgain(tx, locked, from, at)
  const hasBacklog = asksForBacklog(change) && (await isBehind(tx, locked, seen, at.now))
  const outlet = await apply(tx, locked, actOf(change, hasBacklog, { after: from, lastNo }), at)
  return { ...locked, kinds, outlet }
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
  const before = isSuspended ? [] : await readOutletsOfCompany(tx, companyId)
  const seen = await lookBefore(tx, before, clock.now())
  const heads = await lockHeadsOf(tx, companyId)
  const lastNos = new Map(heads.map(({ serviceId, lastNo }) => [serviceId, lastNo]))
  const all = await lockOutletsOf(tx, [...lastNos.keys()])
  const switched: SwitchedOutlet[] = []
  for (const locked of all) {
    const { serviceId, webhookId } = locked
    const at = { now: clock.now(), lastNo: lastNos.get(serviceId) ?? 0, graceMs: 0 }
    const hasBacklog = !isSuspended && (await isBehind(tx, locked, stillTrue(seen.get(webhookId), locked), at.now))
    const outlet = await apply(tx, locked, { act: 'switch', to: { isSuspended }, hasBacklog }, at)
    const name = { companyId, serviceId, webhookId }
    switched.push({ name, transition: transitionOf(locked.outlet, outlet) })
  }
  return switched
}

/** Locks are held: nothing is appended and nobody settles until the transaction ends. */
async function apply(tx: Tx, locked: LockedOutlet, act: Act, at: Moment): Promise<Outlet> {
  const { outlet: before, kinds } = locked
  const { outlet } = step(before, act, at)
  const [isTaking, wasTaking] = [flowOf(outlet) !== 'disabled', flowOf(before) !== 'disabled']
  if (isTaking !== wasTaking) await takeFrom(tx, locked, isTaking ? { kinds } : null, at)
  await writeOutlets(tx, [{ ...locked, outlet, leaseSeconds: null }])
  return outlet
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

/** What opens the way for events: whether it has to be tried first depends on what waits. */
function asksForBacklog({ act }: OutletChange): boolean {
  return act === 'enable' || act === 'resume' || act === 'retarget' || act === 'replay'
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
