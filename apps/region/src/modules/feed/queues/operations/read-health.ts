import { instant, type Instant, type ServiceId, type WebhookId } from '@sealpost/kernel'
import type { Read } from '@sealpost/postgres'
import { oldestVisible } from '../../rules/retention.ts'
import { findLeasedPage } from '../../store/pages.ts'
import { flowOf, type QueueExplanation, type QueueHealth, type WebhookName } from '../model.ts'
import {
  type Backlog,
  findOldBacklogs,
  measure,
  type OldBacklog,
  type QueueMeasure,
  readBacklogsOf,
} from '../store/backlogs.ts'
import type { QueueRow } from '../store/queues.ts'

const DAY_MS = 86_400_000

export async function listQueueHealth(
  read: Read,
  { companyId, serviceId }: Pick<WebhookName, 'companyId' | 'serviceId'>,
  now: Instant,
): Promise<ReadonlyMap<WebhookId, QueueHealth>> {
  const rows = await readBacklogsOf(read, { companyId, serviceId, webhookId: null }, oldestVisible(now))
  return new Map(rows.map((row) => [row.webhookId, healthOf(row)]))
}

/** Counts the backlog of this webhook only. */
export async function readQueueHealth(read: Read, name: WebhookName, now: Instant): Promise<QueueHealth | null> {
  const [row] = await readBacklogsOf(read, name, oldestVisible(now))
  return row === undefined ? null : healthOf(row)
}

export async function explainQueue(read: Read, name: WebhookName, now: Instant): Promise<QueueExplanation | null> {
  const [row] = await readBacklogsOf(read, name, oldestVisible(now))
  if (row === undefined) return null
  const { cursor, lastNo, parkedTo, replayTo, token, epoch, alertAt, purgedAt, kinds } = row
  return {
    ...healthOf(row),
    name,
    cursor,
    lastNo,
    parkedTo,
    replayTo,
    token,
    epoch,
    alertAt,
    purgedAt,
    kinds,
    isLeased: row.isLeased && !row.isLapsed,
    leaseUntil: row.leaseUntil,
    leasedPage: await findLeasedPage(read, { ownerId: name.serviceId, channel: row.channel }),
  }
}

/** For gauges: over the whole region, without counting events. */
export function measureQueues(read: Read, now: Instant): Promise<QueueMeasure> {
  return measure(read, oldestVisible(now))
}

/** Events that wait for more than a day, by queue. */
export function listOldBacklogs(
  read: Read,
  services: readonly ServiceId[],
  now: Instant,
  limit: number,
): Promise<readonly OldBacklog[]> {
  return findOldBacklogs(read, services, { visibleFrom: oldestVisible(now), before: instant(now - DAY_MS) }, limit)
}

function healthOf(row: QueueRow & Backlog): QueueHealth {
  const { state, since, isPaused, isEnabled, isSuspended, dueAt, backlogCount, backlogOldestAt } = row
  const flow = flowOf(row)
  return { state, since, flow, isPaused, isEnabled, isSuspended, dueAt, backlogCount, backlogOldestAt }
}
