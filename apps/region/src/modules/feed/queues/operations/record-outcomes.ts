import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../../../platform/module.ts'
import { readHeads } from '../../store/heads.ts'
import { type OutcomeReport, type RecordedOutcome, transitionOf, type WebhookQueue } from '../model.ts'
import { step } from '../rules/machine.ts'
import type { Moment } from '../rules/parking.ts'
import { keyOf, type LockedQueue, lockQueues, moveCursors, type QueueWrite, writeQueues } from '../store/queues.ts'

/** A POST starts only if it ends within the lease: after a report more than its time limit (`WEBHOOK_TOTAL_MS`) is left. */
export const QUEUE_LEASE_MS = 30_000
const RENEW_BELOW_MS = 20_000

/**
 * Writes the outcomes of events for many queues at once, and releases the queues that are done. Idempotent. Reports of a
 * worker that does not hold the queue any more change nothing.
 */
export async function recordOutcomes(
  { clock, probeDelayMs }: Pick<Platform, 'clock'> & Pick<Moment, 'probeDelayMs'>,
  tx: Tx,
  reports: readonly OutcomeReport[],
): Promise<readonly RecordedOutcome[]> {
  if (reports.length === 0) return []
  const keys = reports.map(({ name: { serviceId }, channel }) => ({ serviceId, channel }))
  const locked = new Map((await lockQueues(tx, keys)).map((each) => [keyOf(each), each]))
  // Read after the locks: events appended before a release must be seen here, or no worker would send them.
  const heads = await readHeads(tx, [...new Set(keys.map(({ serviceId }) => serviceId))])
  const now = clock.now()
  const queues = new Map([...locked].map(([key, { queue }]) => [key, queue]))
  const reported = new Set<string>()
  const recorded = reports.map((report): RecordedOutcome => {
    const key = keyOf({ serviceId: report.name.serviceId, channel: report.channel })
    const [held, queue, head] = [locked.get(key), queues.get(key), heads.get(report.name.serviceId)]
    if (held === undefined || queue === undefined || head === undefined) return notMine(report)
    const at: Moment = { now, probeDelayMs, lastNo: head.lastNo }
    const next = step(queue, { command: 'report', ...report }, at)
    queues.set(key, next.queue)
    const { epoch, state } = next.queue
    const { isMine, mayGoOn } = next
    if (isMine) reported.add(key)
    const leasedForMs = mayGoOn ? leaseAfter(held) : 0
    const transition = transitionOf(queue, next.queue)
    return { name: report.name, isMine, epoch, state, transition, mayGoOn, leasedForMs }
  })
  await writeChanged(tx, locked, queues, reported)
  return recorded
}

function notMine({ name, epoch }: OutcomeReport): RecordedOutcome {
  return { name, isMine: false, epoch, state: 'unknown', transition: null, mayGoOn: false, leasedForMs: 0 }
}

function leaseAfter({ leasedForMs }: LockedQueue): number {
  return leasedForMs < RENEW_BELOW_MS ? QUEUE_LEASE_MS : leasedForMs
}

/** Only the holder of a queue renews its lease: other workers may report after their lease has lapsed. */
async function writeChanged(
  tx: Tx,
  locked: ReadonlyMap<string, LockedQueue>,
  queues: ReadonlyMap<string, WebhookQueue>,
  reported: ReadonlySet<string>,
): Promise<void> {
  const moves: QueueWrite[] = []
  const writes: QueueWrite[] = []
  for (const [key, held] of locked) {
    const queue = queues.get(key) ?? held.queue
    const isRenewed = reported.has(key) && queue.isLeased && held.leasedForMs < RENEW_BELOW_MS
    if (queue === held.queue && !isRenewed) continue
    const write = { ...held, queue, leaseSeconds: isRenewed ? QUEUE_LEASE_MS / 1000 : null }
    if (!isRenewed && isMoveOnly(held.queue, queue)) moves.push(write)
    else writes.push(write)
  }
  await moveCursors(tx, moves)
  await writeQueues(tx, writes)
}

function isMoveOnly(before: WebhookQueue, after: WebhookQueue): boolean {
  if (before.gone.length > 0 || after.gone.length > 0) return false
  const { cursor: _before, gone: _goneBefore, ...rest } = before
  return Object.entries(rest).every(([member, value]) => Reflect.get(after, member) === value)
}
