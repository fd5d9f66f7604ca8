import { type Clock, type Instant, instant, type UserId } from '@sealpost/kernel'
import type { Read, Tx } from '@sealpost/postgres'
import { refuse } from '@sealpost/protocol'
import type { Platform } from '../../../../platform/module.ts'
import type { QueueKey } from '../../model.ts'
import { END } from '../../rules/ranges.ts'
import { oldestVisible } from '../../rules/retention.ts'
import { findNumberBefore } from '../../store/events.ts'
import { DUE_QUEUES, lockHead, lockHeadsOf, markWebhookQueues, takeChannelNo } from '../../store/heads.ts'
import { deletePagesOfChannel, narrowPages } from '../../store/pages.ts'
import {
  flowOf,
  type NewQueue,
  type QueueChange,
  type QueueChanged,
  type QueueTransition,
  transitionOf,
  type WebhookName,
  type WebhookQueue,
} from '../model.ts'
import { type Command, newQueue, step } from '../rules/machine.ts'
import type { Moment } from '../rules/parking.ts'
import { closedAt, withReplay } from '../rules/subscription-runs.ts'
import { countAfterReplay, readBacklogs } from '../store/backlogs.ts'
import {
  deleteQueueRow,
  insertQueue,
  type LockedQueue,
  lockQueue,
  lockQueuesOf,
  readQueue,
  readQueuesOfCompany,
  writeKinds,
  writeQueues,
} from '../store/queues.ts'
import { deleteSubscriptions, readRuns, writeRuns } from '../store/subscriptions.ts'
import { hasBacklog, scanBeforeLocking, type Scanned } from './scan-backlog.ts'

/** The queue subscribes to the events that are appended from now on. */
export async function openQueue(
  { clock }: Pick<Platform, 'clock'>,
  tx: Tx,
  name: WebhookName,
  fresh: NewQueue,
): Promise<void> {
  const { companyId, serviceId } = name
  const taken = await takeChannelNo(tx, { ownerId: serviceId, accountId: companyId, kind: 'service' })
  if (taken === null) return
  const { channel, lastNo } = taken
  const at = { now: clock.now(), lastNo, probeDelayMs: 0 }
  const { kinds, isEnabled, isSuspended } = fresh
  await insertQueue(tx, name, { channel, kinds, now: at.now })
  await markWebhookQueues(tx, serviceId)
  const queue = newQueue({ isEnabled, isSuspended, isPaused: false }, at)
  await writeQueues(tx, [{ serviceId, channel, queue, leaseSeconds: null }])
  const runs = flowOf(queue) === 'disabled' ? [] : [{ from: lastNo, to: END, kinds }]
  await writeRuns(tx, { serviceId, channel }, runs)
}

/** Several changes in one call keep the lock of the feed's head as short as possible. */
export async function changeQueue(
  { clock }: Pick<Platform, 'clock'>,
  tx: Tx,
  name: WebhookName,
  ...changes: readonly QueueChange[]
): Promise<QueueChanged> {
  const prepared = await prepareChanges(tx, clock, name, changes)
  const lastNo = await lockHead(tx, name.serviceId)
  const locked = lastNo === null ? null : await lockQueue(tx, name)
  if (lastNo === null || locked === null) throw refuse('services.webhook_not_found')
  const at = { now: clock.now(), lastNo, probeDelayMs: 0 }
  const scanned = ifUnchanged(prepared.scanned, locked)
  let changed = locked
  for (const change of changes) changed = await changeLocked(tx, changed, change, { ...prepared, scanned }, at)
  return { queued: prepared.queued, transition: transitionOf(locked.queue, changed.queue) }
}

/** Facts that take long to read, so they are read before any lock: [Note: scan before locking]. */
interface Prepared {
  readonly scanned: Scanned | null
  /** A replay sends all events after this number again; null without one. */
  readonly after: number | null
  readonly queued: number
}

async function prepareChanges(
  tx: Tx,
  clock: Clock,
  name: WebhookName,
  changes: readonly QueueChange[],
): Promise<Prepared> {
  const queue = changes.some(needsBacklog) ? await readQueue(tx, name) : null
  if (queue === null) return { scanned: null, after: null, queued: 0 }
  const now = clock.now()
  const replay = changes.find(({ command }) => command === 'replay')
  const since = replay?.command === 'replay' ? replay.since : null
  const after = since === null ? null : await numberBefore(tx, clock, name, since)
  const scanned = (await scanBeforeLocking(tx, [queue], now)).get(name.webhookId) ?? null
  const queued = replay === undefined ? 0 : await countQueued(tx, queue, after, oldestVisible(now))
  return { scanned, after, queued }
}

async function countQueued(read: Read, key: QueueKey, after: number | null, from: Instant): Promise<number> {
  if (after !== null) return countAfterReplay(read, key, after, from)
  const [backlog] = await readBacklogs(read, [key], from)
  return backlog?.backlogCount ?? 0
}

/** Every change from outside raises the epoch, and a worker only removes pending events, so the scan still holds. */
function ifUnchanged(scanned: Scanned | null | undefined, { queue }: LockedQueue): Scanned | null {
  return scanned?.epoch === queue.epoch ? scanned : null
}

async function changeLocked(
  tx: Tx,
  locked: LockedQueue,
  change: QueueChange,
  { scanned, after }: Pick<Prepared, 'scanned' | 'after'>,
  at: Moment,
): Promise<LockedQueue> {
  const { lastNo } = at
  const kinds = change.command === 'subscribe' ? change.kinds : locked.kinds
  if (change.command === 'subscribe') await subscribe(tx, locked, kinds, at)
  const from = after === null ? null : Math.min(after, lastNo)
  if (from !== null) await subscribeAgain(tx, locked, from, at)
  const isBacklogged = needsBacklog(change) && (await hasBacklog(tx, locked, scanned, at.now))
  const queue = await apply(tx, locked, commandOf(change, isBacklogged, { after: from, lastNo }), at)
  return { ...locked, kinds, queue }
}

/** Deletes the queue with its backlog. The report of a POST in flight then finds no queue. */
export async function deleteQueue(tx: Tx, { serviceId, webhookId }: WebhookName): Promise<void> {
  const lastNo = await lockHead(tx, serviceId)
  const locked = lastNo === null ? null : await lockQueue(tx, { serviceId, webhookId })
  if (locked === null) return
  await deleteQueueRow(tx, locked)
  await deletePagesOfChannel(tx, serviceId, locked.channel)
  await deleteSubscriptions(tx, locked)
  await markWebhookQueues(tx, serviceId)
}

export interface SwitchedQueue {
  readonly name: WebhookName
  readonly transition: QueueTransition | null
}

/** The account's level has no webhooks any more: its queues behave as disabled, whatever they are set to. */
export function suspendQueuesOf(
  platform: Pick<Platform, 'clock'>,
  tx: Tx,
  companyId: UserId,
): Promise<readonly SwitchedQueue[]> {
  return switchAll(platform, tx, companyId, true)
}

export function resumeQueuesOf(
  platform: Pick<Platform, 'clock'>,
  tx: Tx,
  companyId: UserId,
): Promise<readonly SwitchedQueue[]> {
  return switchAll(platform, tx, companyId, false)
}

async function switchAll(
  { clock }: Pick<Platform, 'clock'>,
  tx: Tx,
  companyId: UserId,
  isSuspended: boolean,
): Promise<readonly SwitchedQueue[]> {
  const before = isSuspended ? [] : await readQueuesOfCompany(tx, companyId)
  const scans = await scanBeforeLocking(tx, before, clock.now())
  const heads = await lockHeadsOf(tx, companyId)
  const lastNos = new Map(heads.map(({ serviceId, lastNo }) => [serviceId, lastNo]))
  const all = await lockQueuesOf(tx, [...lastNos.keys()])
  const switched: SwitchedQueue[] = []
  for (const locked of all) {
    const { serviceId, webhookId } = locked
    const at = { now: clock.now(), lastNo: lastNos.get(serviceId) ?? 0, probeDelayMs: 0 }
    const scanned = ifUnchanged(scans.get(webhookId), locked)
    const isBacklogged = !isSuspended && (await hasBacklog(tx, locked, scanned, at.now))
    const command = { command: 'switch', to: { isSuspended }, hasBacklog: isBacklogged } as const
    const queue = await apply(tx, locked, command, at)
    const name = { companyId, serviceId, webhookId }
    switched.push({ name, transition: transitionOf(locked.queue, queue) })
  }
  return switched
}

/** Head and queue are locked: until the transaction ends, no event is appended and no outcome recorded. */
async function apply(tx: Tx, locked: LockedQueue, command: Command, at: Moment): Promise<WebhookQueue> {
  const { queue: before, kinds } = locked
  const { queue } = step(before, command, at)
  const [isSubscribed, wasSubscribed] = [flowOf(queue) !== 'disabled', flowOf(before) !== 'disabled']
  if (isSubscribed !== wasSubscribed) await startRun(tx, locked, isSubscribed ? { kinds } : null, at)
  await writeQueues(tx, [{ ...locked, queue, leaseSeconds: null }])
  tx.wake(DUE_QUEUES)
  return queue
}

async function subscribe(tx: Tx, locked: LockedQueue, kinds: readonly string[] | null, at: Moment): Promise<void> {
  await writeKinds(tx, locked, kinds)
  if (flowOf(locked.queue) === 'disabled') return
  await startRun(tx, locked, { kinds }, at)
}

/** Closes the open run at the last number and opens the next one; null opens none. */
async function startRun(
  tx: Tx,
  key: QueueKey,
  next: { readonly kinds: readonly string[] | null } | null,
  { lastNo }: Moment,
): Promise<void> {
  const before = closedAt(await readRuns(tx, key), lastNo)
  await writeRuns(tx, key, next === null ? before : [...before, { from: lastNo, to: END, kinds: next.kinds }])
}

/** One run for all replayed events; pending events stay, also those of kinds that are not subscribed to any more. */
async function subscribeAgain(tx: Tx, locked: LockedQueue, from: number, { lastNo }: Moment): Promise<void> {
  const { queue, kinds } = locked
  await writeRuns(tx, locked, withReplay(await readRuns(tx, locked), queue, { from, to: lastNo, kinds }))
  await narrowPages(tx, locked.serviceId, locked.channel)
}

async function numberBefore(tx: Tx, clock: Clock, { serviceId }: WebhookName, since: number): Promise<number> {
  const from = instant(Math.max(since, oldestVisible(clock.now())))
  return (await findNumberBefore(tx, serviceId, from)) ?? Number.MAX_SAFE_INTEGER
}

/** These commands let events flow: with a backlog the endpoint is probed first. */
function needsBacklog({ command }: QueueChange): boolean {
  return command === 'enable' || command === 'resume' || command === 'retarget' || command === 'replay'
}

function commandOf(
  change: QueueChange,
  isBacklogged: boolean,
  { after, lastNo }: { readonly after: number | null; readonly lastNo: number },
): Command {
  switch (change.command) {
    case 'enable':
      return { command: 'switch', to: { isEnabled: true }, hasBacklog: isBacklogged }
    case 'disable':
      return { command: 'switch', to: { isEnabled: false }, hasBacklog: isBacklogged }
    case 'pause':
      return { command: 'switch', to: { isPaused: true }, hasBacklog: isBacklogged }
    case 'resume':
      return { command: 'switch', to: { isPaused: false }, hasBacklog: isBacklogged }
    case 'replay':
      return { command: 'replay', hasBacklog: isBacklogged || (after !== null && after < lastNo), after }
    case 'subscribe':
      return { command: 'touch' }
    case 'retarget':
      return { command: 'retarget', hasBacklog: isBacklogged }
    case 'probe':
    case 'touch':
      return change
  }
}
