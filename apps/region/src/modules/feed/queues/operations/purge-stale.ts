import type { Tx } from '@sealpost/postgres'
import type { Platform } from '../../../../platform/module.ts'
import { oldestVisible } from '../../rules/retention.ts'
import { flowOf, type StaleQueue } from '../model.ts'
import { DAILY_FROM_MS, scheduleAlert } from '../rules/alert-schedule.ts'
import { step } from '../rules/machine.ts'
import { readBacklogs } from '../store/backlogs.ts'
import { keyOf, lockDueAlerts, type QueueWrite, writeQueues } from '../store/queues.ts'

/**
 * Checks the age of backlogs whose check is due: purges expired events and answers the queues that need an alert. Fewer
 * than the limit when no more checks are due.
 */
export async function purgeStaleQueues(
  { clock }: Pick<Platform, 'clock'>,
  tx: Tx,
  limit: number,
): Promise<readonly StaleQueue[]> {
  const now = clock.now()
  const stale: StaleQueue[] = []
  // A batch may contain no stale queue although later ones do.
  while (stale.length < limit) {
    const locked = await lockDueAlerts(tx, now, limit)
    if (locked.length === 0) break
    const backlogs = new Map((await readBacklogs(tx, locked, oldestVisible(now))).map((each) => [keyOf(each), each]))
    const writes: QueueWrite[] = []
    for (const each of locked) {
      const backlog = backlogs.get(keyOf(each))
      if (backlog === undefined) continue
      const { queue } = each
      const { companyId, backlogCount, backlogOldestAt: oldestAt, purgedCount, purgedTo, lastNo } = backlog
      const flow = flowOf(queue)
      const isStopped = queue.state !== 'running' || flow !== 'open'
      // Once when the loss starts, and once more if nothing is left when the queue runs again.
      const isPurged = purgedCount > 0 && (queue.purgedAt === null || !isStopped)
      const { alert, nextAt } = scheduleAlert(oldestAt, { isPurged, wasPurged: queue.purgedAt !== null }, now)
      const alertAt = isStopped ? nextAt : null
      // The rest is too young for an alert: if it expires later, that is a new loss.
      const isOver = now - (oldestAt ?? now) < DAILY_FROM_MS
      const purgedAt = isOver ? null : alert === 'purged' ? now : queue.purgedAt
      const purged = step(
        queue,
        { command: 'purge', to: purgedTo, alertAt, purgedAt },
        { now, lastNo, probeDelayMs: 0 },
      )
      writes.push({ ...each, queue: purged.queue, leaseSeconds: null })
      if (alert === null) continue
      const name = { companyId, serviceId: each.serviceId, webhookId: each.webhookId }
      stale.push({ name, alert, backlogCount, oldestAt, state: queue.state, since: queue.since, flow, purgedCount })
    }
    await writeQueues(tx, writes)
  }
  return stale
}
